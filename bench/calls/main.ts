/**
 * The cost of live paid calls beside pgbench's TPC-B on the same cluster. Measures one meter round for all calls, the
 * renewals of their holds, and a restart with all calls open. The server is the product without its sockets. Its clock
 * moves second by second, as fast as the work is done. Prints ratios, asserts nothing.
 *
 *     node bench/calls/main.ts --calls=1000,10000
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbedded } from '@duet/server/platform/database/embedded/embedded.ts'
import { median } from '../figures/median.ts'
import { measureCalls, type CallFigures } from './measure.ts'
import { createTpcb } from './tpcb.ts'

const sizes = (
  process.argv.find((argument) => argument.startsWith('--calls='))?.slice('--calls='.length) ??
  '1000,10000'
)
  .split(',')
  .map(Number)

const folder = await mkdtemp(join(tmpdir(), 'duet-bench-calls-'))
const embedded = await openEmbedded({ data_dir: folder })
try {
  const tpcb = await createTpcb(embedded)
  const found: CallFigures[] = []
  for (const count of sizes) {
    tpcb.round()
    found.push(await measureCalls({ embedded, folder, count, between: () => tpcb.round() }))
    tpcb.round()
  }
  report(found, { wall_us: median(tpcb.wall_us), cpu_us: median(tpcb.cpu_us) })
} finally {
  await embedded.stop()
  await rm(folder, { recursive: true, force: true })
}

function report(found: readonly CallFigures[], base: { wall_us: number; cpu_us: number }): void {
  const us = (value: number) => `${value < 10 ? value.toFixed(1) : Math.round(value)} µs`
  console.log(
    `  TPC-B, 8 clients: ${us(base.wall_us)} a transaction, ${us(base.cpu_us)} of the database's CPU`,
  )
  for (const {
    count,
    tick,
    renewal,
    meter,
    report: one_report,
    restart,
    cpu_share,
    isExact,
  } of found) {
    const tpcbs = (tick.cpu_us + tick.database_cpu_us) / base.cpu_us
    console.log(`  ${count} paid calls`)
    console.log(
      `    one round for all     ${((tick.wall_us * count) / 1e6).toFixed(2)} s = ${us(tick.wall_us)} a call, ${us(tick.cpu_us + tick.database_cpu_us)} of CPU (server ${us(tick.cpu_us)}), ${tpcbs.toFixed(2)}x of TPC-B (must 0.5 s for 10,000, aim 0.15 s)`,
    )
    console.log(
      `    one renewal           ${us(renewal.wall_us)}, CPU ${us(renewal.cpu_us + renewal.database_cpu_us)} (server ${us(renewal.cpu_us)}) = ${(renewal.wall_us / base.wall_us).toFixed(1)}x of TPC-B; all of 50 s in ${((renewal.wall_us * count) / 1e6).toFixed(1)} s`,
    )
    console.log(
      `    one meter event       ${us(meter.wall_us)}, CPU ${us(meter.cpu_us + meter.database_cpu_us)}; one report ${us(one_report.cpu_us)} of CPU`,
    )
    console.log(
      `    all of it             ${(cpu_share * 100).toFixed(0)} % of a core; reports and sockets without their transport`,
    )
    console.log(
      `    restart               ${Math.round(restart.ms)} ms until it listens and every grace time runs; without calls ${Math.round(restart.empty_ms)} ms`,
    )
    console.log(`    books                 ${isExact ? 'agree to the last unit' : 'DO NOT AGREE'}`)
    if (!isExact) process.exitCode = 1
  }
  const [small, large] = [found[0]!, found.at(-1)!]
  const growth = (of: (figures: CallFigures) => number) => (of(large) / of(small)).toFixed(2)
  const measureCpu = (what: 'tick' | 'renewal') => (figures: CallFigures) =>
    figures[what].cpu_us + figures[what].database_cpu_us
  console.log(
    `  a call among ${large.count} over one among ${small.count} (allowed 1.2): round ${growth(measureCpu('tick'))} of CPU, ${growth((one) => one.tick.wall_us)} of time; renewal ${growth(measureCpu('renewal'))}, ${growth((one) => one.renewal.wall_us)}; restart ${growth((one) => (one.restart.ms - one.restart.empty_ms) / one.count)}`,
  )
}
