/** `npm run gen`: writes every generated file. */
import { generateAll } from './generated.ts'

const trouble = await generateAll(undefined, (line) => console.log(`gen: ${line}`))
for (const text of trouble) console.error(text)
process.exit(trouble.length > 0 ? 1 : 0)
