import { parseId } from '@duet/protocol/kernel/parse-id.ts'
import type { Db } from '../../core/db.ts'
import type { QueuedCase } from '../../core/hooks.ts'
import type { UserId } from '../../core/ids.ts'
import type { Staff } from '../../core/viewer.ts'
import { refuse } from '../../lib/refusal.ts'
import { appealById, statementById } from './appeals/appeal-store.ts'
import { complaintById } from './complaints/complaint-store.ts'
import { isForManagers } from './complaints/pass-on.ts'
import { readFindings } from './findings/finding-queries.ts'
import { isMaskedWaiting } from './masked-texts/desk.ts'

/** The users of a complaint, of masked texts, of findings or of an appeal that waits. Refuses role_forbidden. */
export async function caseUsers(
  db: Db,
  { queue, id: item }: QueuedCase,
  staff: Staff,
  now: Temporal.Instant,
): Promise<UserId[] | undefined> {
  const id = parseId(item)
  if (id === undefined) return undefined
  if (queue === 'complaints') return complaintUsers(db, id, staff)
  if (queue === 'appeals') return appealUsers(db, id, staff)
  if (queue === 'masked') return (await isMaskedWaiting(db, id, now)) ? [id] : undefined
  if (queue === 'findings') return (await readFindings(db, id)).length > 0 ? [id] : undefined
  return undefined
}

async function complaintUsers(db: Db, id: number, { staff_role }: Staff) {
  const row = await complaintById(db, id)
  if (!row || row.decided_at !== null) return undefined
  if (isForManagers(row) && staff_role === 'moderator') refuse('role_forbidden')
  return [row.accused_id, row.complainer_id]
}

async function appealUsers(db: Db, id: number, { email }: Staff) {
  const row = await appealById(db, id)
  if (row?.state !== 'waiting') return undefined
  const statement = await statementById(db, row.statement_id)
  if (statement?.imposed_by === email) refuse('role_forbidden')
  return [row.user_id]
}
