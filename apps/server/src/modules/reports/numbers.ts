import { type ReportNumbers, reportKinds } from '@duet/protocol/contracts/reports.ts'
import type { App } from '../../core/app.ts'
import { msBetween, startOfProductDay } from '../../lib/clock.ts'
import { refuse } from '../../lib/refusal.ts'
import { type CountedReport, countedReports } from './queries.ts'
import { median } from './rules.ts'

const HOUR_MS = 3_600_000
const ROWS_AT_ONCE = 1000

/** The numbers of the reports that came in a month of the product. Refuses invalid for a month that there is none of. */
export async function countNumbers(app: App, month: string): Promise<ReportNumbers> {
  const first = parseMonth(month)
  const from = startOfProductDay(first)
  const to = startOfProductDay(first.add({ months: 1 }))
  const sums = new Map(reportKinds.map((kind) => [kind as string, newSum()]))
  for (let after = 0; ;) {
    const rows = await countedReports(app.db, { from, to, after, limit: ROWS_AT_ONCE })
    for (const row of rows) addTo(sums.get(row.kind)!, row, app.clock.now())
    if (rows.length < ROWS_AT_ONCE) break
    after = rows.at(-1)!.report_id
  }
  return {
    month,
    kinds: reportKinds.map((kind) => {
      const { hours, ...counts } = sums.get(kind)!
      const middle = median(hours)
      return { kind, ...counts, median_hours: middle && Math.round(middle * 10) / 10 }
    }),
  }
}

function parseMonth(month: string): Temporal.PlainDate {
  try {
    return Temporal.PlainDate.from(`${month}-01`)
  } catch {
    return refuse('invalid', { fields: [{ path: 'month', message: 'A month is like 2026-11' }] })
  }
}

function newSum() {
  return {
    received: 0,
    upheld: 0,
    rejected: 0,
    open: 0,
    late: 0,
    pictures: 0,
    hours: [] as number[],
  }
}

function addTo(sum: ReturnType<typeof newSum>, report: CountedReport, now: Temporal.Instant): void {
  const { decision, decided_at, filed_at, answer_until, pictures } = report
  sum.received += 1
  sum.upheld += decision === 'upheld' ? 1 : 0
  sum.rejected += decision === 'rejected' ? 1 : 0
  sum.open += decision === null ? 1 : 0
  sum.pictures += decision === 'upheld' ? pictures : 0
  if (Temporal.Instant.compare(decided_at ?? now, answer_until) > 0) sum.late += 1
  if (decided_at) sum.hours.push(msBetween(filed_at, decided_at) / HOUR_MS)
}
