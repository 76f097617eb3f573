/** The operator's shell: sends the command to the running server and prints its answer as JSON; some need no server. */
import { createInterface } from 'node:readline'
import { readConfig } from './config.ts'
import { printedAnswer } from './platform/operator/printed-answer.ts'
import { withInput } from './platform/operator/shell-input.ts'
import { askServer } from './platform/operator/shell-client.ts'
import { StartRefused } from './lib/configuration/start-refused.ts'

try {
  const config = readConfig(process.env)
  const line = await withInput(process.argv.slice(2), firstInputLine)
  const request = {
    line: line.length === 0 ? ['help'] : line,
    cwd: process.env.INIT_CWD ?? process.cwd(),
  }
  const answered = await askServer(config.data_dir, request)
  const { exit_code, answer } =
    answered ?? (await (await import('./cli-offline.ts')).runOffline(config, request))
  console.log(printedAnswer(answer))
  process.exitCode = exit_code
} catch (error) {
  console.log(printedAnswer({ error: error instanceof Error ? error.message : String(error) }))
  process.exitCode = error instanceof StartRefused ? 1 : 2
}

/** One line is enough: an operator who types it ends it with Enter. */
async function firstInputLine(): Promise<string> {
  for await (const line of createInterface({ input: process.stdin })) return line
  return ''
}
