import type { Tx } from '../../../core/app.ts'
import type { DomainEvents } from '../../../core/domain-events.ts'
import { addNotice } from '../../notices/index.ts'
import { addFindings } from '../findings/finding-store.ts'
import { insertStatement } from './sanction-store.ts'

/** Each absence has a statement that the girl reads; one that keeps her out of search has a notice too. */
export async function stateAbsence(
  tx: Tx,
  { user_id, kind, session_id, paused_until }: DomainEvents['absence_recorded'],
): Promise<void> {
  const statement_id = await insertStatement(tx, {
    user_id,
    kind: 'absence',
    reason: 'absence',
    comment: '',
    until: paused_until,
    automatic: true,
    imposed_by: kind,
  })
  if (!paused_until) return
  const key = `absence:${statement_id}`
  // Her device measured it. Staff compare it with the frames that the server sampled in this call.
  await addFindings(tx, [{ user_id, kind: 'absence', key, ...(session_id && { session_id }) }])
  await addNotice(tx, {
    user_id,
    kind: 'statement',
    facts: { what: 'absence', statement_id },
    key: `statement:${statement_id}:begun`,
  })
}
