/** `npm start`: builds the web apps if their sources changed, then becomes the server. */
import { join } from 'node:path'
import { replaceProcess } from './exec.mjs'
import { ROOT } from './tree.ts'
import { buildWeb } from './web-build.ts'

const trouble = await buildWeb({ say: (line) => console.error(`duet: ${line}`) })
if (trouble !== undefined) {
  console.error(trouble)
  console.error('duet: the web app could not be built, so there is nothing to serve.')
  process.exit(1)
}
await replaceProcess(process.execPath, [
  join(ROOT, 'apps/server/src/main.ts'),
  ...process.argv.slice(2),
])
