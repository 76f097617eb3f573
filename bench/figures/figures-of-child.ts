/**
 * A measured server loads this file before its own code. Reports used time and memory to the parent process, and exits
 * with the parent.
 */
export interface Used {
  /** User and system time of all its threads. */
  readonly cpu_us: number
  readonly rss_bytes: number
}

const PASSES = 3

process.on('message', (asked: 'now' | 'collected') => {
  if (asked === 'collected') {
    for (let pass = 0; pass < PASSES; pass += 1)
      globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  }
  const { user, system } = process.cpuUsage()
  process.send?.({ cpu_us: user + system, rss_bytes: process.memoryUsage.rss() } satisfies Used)
})
process.on('disconnect', () => process.exit())
process.channel?.unref()
