import type { ReportDecision } from '@duet/protocol/contracts/reports.ts'
import type { Tx } from '../../core/app.ts'
import type { Staff } from '../../core/viewer.ts'
import { refuse } from '../../lib/refusal.ts'
import { serverText } from '../../platform/texts.ts'
import { type Actor, writeAudit } from '../audit/index.ts'
import { checkBulk } from '../bulk/index.ts'
import { enqueueMail } from '../mail/index.ts'
import type { PictureOfComplaint } from '../moderation/index.ts'
import { leaveClaim } from '../staff/index.ts'
import { followDecision } from './picture-watch.ts'
import { waitingOfComplaint } from './picture-queries.ts'
import { BY_CLOCK, isSevere } from './rules.ts'
import { openWords } from './sealed-words.ts'
import { lockReport, type ReportRow, storeDecision } from './store.ts'

export interface DecidedReport {
  readonly decision: ReportDecision
  /** Empty for a decision by the clock. */
  readonly answer: string
  readonly by: string
  readonly actor: Actor
}

/**
 * Decides a report once; staff may decide again what the clock decided. A repeat changes nothing. Refuses not_found,
 * decided and bulk_stopped.
 */
export async function decideReport(
  tx: Tx,
  report_id: number,
  { decision, answer, by, actor }: DecidedReport,
): Promise<void> {
  const former = (await lockReport(tx, report_id)) ?? refuse('not_found')
  if (former.decided_at !== null && (former.decided_by !== BY_CLOCK || by === BY_CLOCK)) {
    const isRepeated = former.decision === decision && former.answer === answer
    if (isRepeated && former.decided_by === by) return
    refuse('decided')
  }
  await storeDecision(tx, report_id, { decision, decided_by: by, answer })
  const report = (await lockReport(tx, report_id))!
  if (decision === 'rejected' && by !== BY_CLOCK) await checkBulk(tx, actor, 'dismissal')
  if (report.kind === 'intimate_image') {
    if (decision === 'upheld' && by !== BY_CLOCK) await checkBulk(tx, actor, 'removal')
    await followDecision(tx, report)
  }
  await mailDecision(tx, report)
  await writeAudit(tx, {
    staff: actor,
    act: 'report_decide',
    reason: answer,
    facts: { report_id, decision },
    load: isSevere(report) ? 'severe' : 'plain',
  })
}

/** The decision about a complaint removes its picture: a report of it that waits is upheld. Refuses claimed, bulk_stopped. */
export async function upholdComplained(
  tx: Tx,
  picture: PictureOfComplaint,
  staff: Staff,
): Promise<void> {
  for (const { report_id, locale } of await waitingOfComplaint(tx, picture)) {
    await leaveClaim(tx, staff, 'reports', String(report_id))
    const answer = serverText(locale, 'mail', 'mail.report_decided.answer_removed')
    await decideReport(tx, report_id, {
      decision: 'upheld',
      answer,
      by: staff.email,
      actor: staff,
    })
  }
}

async function mailDecision(tx: Tx, report: ReportRow): Promise<void> {
  const { report_id, receipt, locale, decided_by, sealed } = report
  const { contact } = openWords(tx.app, sealed)
  if (contact === '') return
  await enqueueMail(tx, {
    to: contact,
    locale,
    template: 'report_decided',
    values: { receipt },
    key: `report:${report_id}:decided:${decided_by === BY_CLOCK ? 'clock' : 'staff'}`,
  })
}
