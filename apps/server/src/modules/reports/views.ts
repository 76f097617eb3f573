import type { Claim } from '@duet/protocol'
import type { ReportKind, ReportDecision, StaffReport } from '@duet/protocol/contracts/reports.ts'
import { wireTime } from '../../lib/clock.ts'
import type { ReportRow } from './store.ts'

function facts(row: ReportRow) {
  return {
    receipt: row.receipt,
    kind: row.kind as ReportKind,
    create_time: wireTime(row.filed_at),
    answer_until: wireTime(row.answer_until),
    decided_at: row.decided_at && wireTime(row.decided_at),
    decision: row.decision as ReportDecision | null,
  }
}

/** A report as its reporter reads it, who does not learn which member of staff decided. */
export function reporterView(row: ReportRow) {
  return { ...facts(row), answer: row.answer ?? '' }
}

export function staffView(row: ReportRow, claim?: Claim): StaffReport {
  return {
    ...facts(row),
    id: row.report_id,
    reason: row.reason,
    complaint_id: row.complaint_id,
    decided_by: row.decided_by ?? '',
    claim: claim ?? null,
  }
}
