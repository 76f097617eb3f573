import { startServer } from './start-server.ts'
import { exitProcess } from './platform/process/exit-process.ts'
import { toError } from './platform/log.ts'
import { StartRefused } from './lib/configuration/start-refused.ts'

const STOP_WITHIN_MS = 15_000
/** npm passes the interrupt of a terminal on to a process that the terminal has interrupted already. */
const SAME_SIGNAL_MS = 500
const PARENT_CHECK_MS = 1000

/** Runs the server in a terminal or under a supervisor: progress and addresses on standard error, an exit code. */
export async function serve(): Promise<void> {
  const print = (line: string) => console.error(`duet: ${line}`)
  const parentPid = process.ppid
  process.on('uncaughtException', (error) => {
    // The state of a process after an unexpected error is unknown. It exits, and the next process recovers
    // from the database.
    printError(error)
    exitProcess(1)
  })
  try {
    const { config, stop } = await startServer(process.env, print)
    for (const origin of config.origins) print(`serving at ${origin}`)
    if (config.demo)
      print('this is the demo: open the page and press a picture to sign in as that person')
    if (config.metrics_port) print(`metrics at http://127.0.0.1:${config.metrics_port}/metrics`)
    stopAtTheEnd(stop, print, parentPid)
  } catch (error) {
    if (error instanceof StartRefused) print(error.message)
    else printError(error)
    exitProcess(1)
  }
}

/** The line has the form of the log, and like it nothing that a database error quotes of its rows. */
function printError(error: unknown): void {
  console.error(JSON.stringify({ level: 60, err: toError(error), msg: 'the server ended' }))
}

/** Stops at a signal. A server that `npm start` has started stops when npm ends, too: nothing else would ever stop it. */
function stopAtTheEnd(
  stop: () => Promise<void>,
  print: (line: string) => void,
  parentPid: number,
): void {
  let stoppingSinceMs: number | undefined
  const end = (cause: string) => {
    if (stoppingSinceMs !== undefined) {
      if (performance.now() - stoppingSinceMs > SAME_SIGNAL_MS) exitProcess(1)
      return
    }
    stoppingSinceMs = performance.now()
    print(`${cause}: finishing the running work …`)
    setTimeout(() => exitProcess(1), STOP_WITHIN_MS).unref()
    stop().then(
      () => exitProcess(0),
      (error: unknown) => {
        printError(error)
        exitProcess(1)
      },
    )
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end)
  if (process.env.npm_lifecycle_event !== 'start') return
  const watch = setInterval(() => {
    if (process.ppid === parentPid) return
    clearInterval(watch)
    end('npm has ended')
  }, PARENT_CHECK_MS)
  watch.unref()
}
