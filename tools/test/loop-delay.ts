/** How long the event loop of a test process stood still: written by the process (fail-on-unhandled.ts), read by the harness. */

const MARK = 'duet-event-loop-delay '
/** A block longer than this is named in the report. */
const NAMED_BLOCK_MS = 200

export interface LoopDelay {
  file: string
  max_ms: number
  high_ms: number
}

export function loopDelayLine(maxMs: number, highMs: number): string {
  return `${MARK}${maxMs.toFixed(0)} ${highMs.toFixed(0)}\n`
}

export function readLoopDelay(line: string, file: string): LoopDelay | undefined {
  if (!line.startsWith(MARK)) return undefined
  const [max_ms = 0, high_ms = 0] = line.slice(MARK.length).split(' ').map(Number)
  return { file, max_ms, high_ms }
}

export function loopDelayNotes(delays: LoopDelay[]): string[] {
  if (delays.length === 0) return []
  const worst = delays.reduce((a, b) => (b.max_ms > a.max_ms ? b : a))
  const highMs = Math.max(...delays.map((delay) => delay.high_ms))
  const named = delays.filter((delay) => delay.max_ms > NAMED_BLOCK_MS && delay !== worst)
  return [
    `event loop stood still at most ${worst.max_ms} ms (${worst.file}); worst p99.9 of a file ${highMs} ms`,
    ...named.map((delay) => `event loop stood still ${delay.max_ms} ms in ${delay.file}`),
  ]
}
