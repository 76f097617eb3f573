import { parseId } from '@duet/protocol/kernel/parse-id.ts'
import type { Db } from '../../core/db.ts'
import type { QueuedCase, QueueViewer } from '../../core/hooks.ts'
import type { UserId } from '../../core/ids.ts'
import type { Staff } from '../../core/viewer.ts'
import { refuse } from '../../lib/refusal.ts'
import { appealById, statementById } from './appeals/appeal-store.ts'
import { usersOfCase } from './complaints/complaint-rules.ts'
import { complaintById } from './complaints/complaint-store.ts'
import { isSevere } from './complaints/complaint-rules.ts'
import { isForManagers } from './complaints/pass-on.ts'
import { readFindings } from './findings/finding-queries.ts'
import { isMaskedWaiting } from './masked-texts/desk.ts'

/** The users of a complaint, of masked texts, of findings or of an appeal that waits. Refuses role_forbidden. */
export async function caseUsers(
  db: Db,
  { queue, id: item }: QueuedCase,
  viewer: QueueViewer,
): Promise<UserId[] | undefined> {
  const id = parseId(item)
  if (id === undefined) return undefined
  if (queue === 'complaints') return complaintUsers(db, id, viewer)
  if (queue === 'appeals') return appealUsers(db, id, viewer.staff)
  if (queue === 'masked') return (await isMaskedWaiting(db, id, viewer.now)) ? [id] : undefined
  if (queue === 'findings') return findingsUsers(db, id, viewer)
  return undefined
}

async function complaintUsers(db: Db, id: number, { staff, is_limited }: QueueViewer) {
  const row = await complaintById(db, id)
  if (!row || row.decided_at !== null) return undefined
  if (isForManagers(row) && staff.staff_role === 'moderator') refuse('role_forbidden')
  if (is_limited && isSevere(row)) refuse('role_forbidden')
  return usersOfCase(row)
}

async function findingsUsers(db: Db, id: UserId, { is_limited }: QueueViewer) {
  const found = await readFindings(db, id)
  if (found.length === 0) return undefined
  if (is_limited && found.some(({ kind }) => kind === 'nudity')) refuse('role_forbidden')
  return [id]
}

async function appealUsers(db: Db, id: number, { email }: Staff) {
  const row = await appealById(db, id)
  if (row?.state !== 'waiting') return undefined
  const statement = await statementById(db, row.statement_id)
  if (statement?.imposed_by === email) refuse('role_forbidden')
  return [row.user_id]
}
