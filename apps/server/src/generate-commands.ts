import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { modules } from './modules.ts'
import { collectCommands } from './platform/operator/commands.ts'

const PAGE = join(import.meta.dirname, '../../../docs/commands.gen.md')

const cell = (text: string) => text.replaceAll('|', String.raw`\|`)

const rows = [...collectCommands(modules, {})]
  .toSorted(([one], [other]) => (one < other ? -1 : 1))
  .map(([name, { args, summary }]) => {
    const line = ['duet', name, args].filter(Boolean).join(' ')
    return `| \`${cell(line)}\` | ${cell(summary)} |`
  })

writeFileSync(
  PAGE,
  `# Commands of the modules

Generated from the modules of the server by \`apps/server/src/generate-commands.ts\`. \`npm run -s duet -- help\` prints
them with those of the platform. \`--as NAME\` names who acts, for the audit log.

| Command | Use |
| --- | --- |
${rows.join('\n')}
`,
)
