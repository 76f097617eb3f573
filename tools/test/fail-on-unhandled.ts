/**
 * Loaded into every test process before the tests. If a promise is rejected after its test ended, Node's
 * runner only warns. Here the first such rejection fails the file. It also measures how long the event loop
 * stood still.
 */
import { writeSync } from 'node:fs'
import { before } from 'node:test'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'
import { loopDelayLine } from './loop-delay.ts'

const STDERR = 2
const RESOLUTION_MS = 10
const MS_PER_NS = 1e-6

if (isMainThread) {
  let forgotten = 0
  process.prependListener('unhandledRejection', (reason) => {
    forgotten += 1
    writeSync(
      STDERR,
      `unhandled rejection: ${reason instanceof Error ? (reason.stack ?? reason.message) : String(reason)}\n`,
    )
  })

  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  // Loading the modules is one long block that no user ever waits for. The first test begins after it.
  before(() => delay.enable())

  process.on('exit', () => {
    if (forgotten > 0) process.exitCode = 1
    if (delay.count > 0)
      writeSync(STDERR, loopDelayLine(delay.max * MS_PER_NS, delay.percentile(99.9) * MS_PER_NS))
  })
}
