import { startServer } from './start-server.ts'
import { errorOf } from './platform/log.ts'
import { StartRefused } from './platform/database/start-refused.ts'

const STOP_WITHIN_MS = 15_000

/** Runs the server in a terminal or under a supervisor: progress and addresses on standard error, an exit code. */
export async function serve(): Promise<void> {
  const print = (line: string) => console.error(`duet: ${line}`)
  process.on('uncaughtException', (error) => {
    // The state of a process after an unexpected error is unknown: it exits, and the next one recovers from the database.
    printError(error)
    process.exit(1)
  })
  try {
    const { config, stop } = await startServer(process.env, print)
    for (const origin of config.origins) print(`serving at ${origin}`)
    if (config.demo)
      print('this is the demo: open the page and press a picture to sign in as that person')
    if (config.metrics_port) print(`metrics at http://127.0.0.1:${config.metrics_port}/metrics`)
    stopAtSignals(stop, print)
  } catch (error) {
    if (error instanceof StartRefused) print(error.message)
    else printError(error)
    process.exit(1)
  }
}

/** The line has the form of the log, and like it nothing that a database error quotes of its rows. */
function printError(error: unknown): void {
  console.error(JSON.stringify({ level: 60, err: errorOf(error), msg: 'the server ended' }))
}

function stopAtSignals(stop: () => Promise<void>, print: (line: string) => void): void {
  let isStopping = false
  const end = (signal: NodeJS.Signals) => {
    if (isStopping) process.exit(1)
    isStopping = true
    print(`${signal}: finishing the running work …`)
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref()
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        printError(error)
        process.exit(1)
      },
    )
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end)
}
