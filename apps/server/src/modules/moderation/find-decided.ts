import type { Db } from '../../core/db.ts'
import { appealById, statementById } from './appeals/appeal-store.ts'
import { complaintById } from './complaints/complaint-store.ts'

/** The decided complaint, the decided appeal and the statement with this number, and the users whose page shows them. */
export async function findDecided(db: Db, number: number) {
  const complaint = await complaintById(db, number)
  const appeal = await appealById(db, number)
  const statement = await statementById(db, number)
  const decided = [
    complaint?.decided_at && { kind: 'complaints' as const, user_id: complaint.accused_id },
    appeal?.decided_at && { kind: 'appeals' as const, user_id: appeal.user_id },
    statement && { kind: 'statements' as const, user_id: statement.user_id },
  ].filter((one) => one !== undefined && one !== null)
  return decided.map(({ kind, user_id }) => ({
    kind,
    id: String(number),
    users: [user_id],
    is_waiting: false,
  }))
}
