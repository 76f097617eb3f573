import type { App } from '../../core/app.ts'
import { decideReport } from './decide-report.ts'
import { hideCopies, removeHidden, settle } from './picture-watch.ts'
import { countUndecided } from './picture-queries.ts'
import { countLate, countPictures, readReportHashes, unsettledReports } from './queries.ts'
import { BY_CLOCK, isDueByClock } from './rules.ts'
import { lockReport, type ReportRow } from './store.ts'

const REPORTS_AT_ONCE = 100

/**
 * Looks again for copies of reported pictures, removes the hidden ones whose 48 hours end without a decision, and logs an error while
 * a report is late.
 */
export async function watchReports(app: App): Promise<void> {
  let after = 0
  for (;;) {
    const reports = await unsettledReports(app.db, after, REPORTS_AT_ONCE)
    for (const report of reports) await watch(app, report)
    if (reports.length < REPORTS_AT_ONCE) break
    after = reports.at(-1)!.report_id
  }
  const { late } = await countLate(app.db, app.clock.now())
  if (late > 0) app.log.error({ late }, 'reports of the public forms are late')
}

async function watch(app: App, report: ReportRow): Promise<void> {
  if (report.decided_at !== null) return settle(app, report)
  const { report_id } = report
  const isDue = isDueByClock(report, app.clock.now())
  await app.transact(async (tx) => {
    const current = await lockReport(tx, report_id)
    if (current?.decided_at === null) await hideCopies(tx, current, isDue)
  })
  if (!isDue) return
  const { shown, kept } = await countUndecided(app.db, report_id)
  // Only a person decides about these: the alarm of shown pictures goes on until then.
  if (shown + kept > 0) return removeHidden(app, report_id)
  const { out_of_view } = await countPictures(app.db, report_id)
  // Without a picture only a person can find out what the report is about.
  if (out_of_view === 0 && (await readReportHashes(app.db, report_id)).length === 0) return
  const actor = { operator: 'clock' }
  await app.transact((tx) =>
    decideReport(tx, report_id, { decision: 'upheld', answer: '', by: BY_CLOCK, actor }),
  )
}
