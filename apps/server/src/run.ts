import { serve } from './serve.ts'
import { StartRefused } from './platform/database/start-refused.ts'

const stop_within_ms = 15_000

/** What a terminal or a supervisor meets: progress, addresses, one sentence for what is wrong, an exit code. */
export async function run(): Promise<void> {
  const say = (line: string) => console.error(`duet: ${line}`)
  process.on('uncaughtException', (error) => {
    // The state of a process that threw where nobody expected it is unknown: the next one settles what it left.
    console.error(error)
    process.exit(1)
  })
  try {
    const { config, stop } = await serve(process.env, say)
    for (const origin of config.origins) say(`serving at ${origin}`)
    if (config.demo)
      say(
        'this is the demo installation: open the page and press a face to sign in as one of the cast',
      )
    if (config.metrics_port) say(`metrics at http://127.0.0.1:${config.metrics_port}/metrics`)
    stopAtSignals(stop, say)
  } catch (error) {
    if (error instanceof StartRefused) say(error.message)
    else console.error(error)
    process.exit(1)
  }
}

function stopAtSignals(stop: () => Promise<void>, say: (line: string) => void): void {
  let stopping = false
  const end = (signal: NodeJS.Signals) => {
    if (stopping) process.exit(1)
    stopping = true
    say(`${signal}: finishing what is under way …`)
    setTimeout(() => process.exit(1), stop_within_ms).unref()
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error)
        process.exit(1)
      },
    )
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end)
}
