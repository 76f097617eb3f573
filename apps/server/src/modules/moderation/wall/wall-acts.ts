import type { Answer, Body, Query } from '@duet/protocol'
import type { App, Tx } from '../../../core/app.ts'
import type { RequestContext } from '../../../core/request-context.ts'
import type { Staff } from '../../../core/viewer.ts'
import { refuse } from '../../../lib/refusal.ts'
import { writeAudit } from '../../audit/index.ts'
import { checkBulk } from '../../bulk/index.ts'
import { endByStaff, isRunning } from '../../calls/index.ts'
import { lockUser, userById } from '../../identity/index.ts'
import { addNotice } from '../../notices/index.ts'
import { requireOtherPerson } from '../../staff/index.ts'
import { refuseDoubled } from '../sanctions/doubled-act.ts'
import { insertStatement } from '../sanctions/sanction-store.ts'
import { anyCallById, findCallEnd, openCallById } from './wall-queries.ts'

type Act = Query<'POST v2/manager/wall/{id}/warn'> & Body<'POST v2/manager/wall/{id}/warn'>

/**
 * POST v2/manager/wall/{id}/warn. The call may have ended while the warning could be taken back: the person is warned all
 * the same, and reads it outside of the call. Refuses not_found, role_forbidden, bulk_stopped.
 */
export function warnInCall(
  app: App,
  staff: Staff,
  given: Act,
  context: RequestContext,
): Promise<Answer<'POST v2/manager/wall/{id}/warn'>> {
  return app.transact(async (tx) => {
    const { statement_id, isOver } = await stateInCall(tx, staff, 'warning', given)
    const { id: session_id, user_id, rule } = given
    if (isOver) await tx.notify(user_id, 'statement', { statement_id })
    else
      await tx.notify(user_id, 'call_warning', {
        session_id,
        statement_id,
        rule,
        automatic: false,
      })
    const answer = { statement_id }
    return context.storeAnswer ? context.storeAnswer(tx, answer) : answer
  })
}

/** Ends a call that has a statement about its end. */
export const END_CALL = 'wall_end_call'

/** POST v2/manager/wall/{id}/end. A repeat ends the call again, with the first statement. Refuses not_found, role_forbidden, bulk_stopped. */
export function endWatched(
  app: App,
  staff: Staff,
  given: Act,
  context: RequestContext,
): Promise<Answer<'POST v2/manager/wall/{id}/end'>> {
  return app.transact(async (tx) => {
    const { statement_id } = await stateInCall(tx, staff, 'call_end', given)
    await tx.enqueue(END_CALL, { session_id: given.id })
    const answer = { statement_id }
    return context.storeAnswer ? context.storeAnswer(tx, answer) : answer
  })
}

/** Work of the outbox. It is tried again until the server process that runs the call performs it. */
export async function endStated(
  app: App,
  { session_id }: { readonly session_id: number },
): Promise<void> {
  if (!(await openCallById(app.db, session_id))) return
  if (!isRunning(app, session_id)) throw new Error('the call runs in no process or in another one')
  await endByStaff(app, session_id, 'moderator')
}

/** The statement, its notice and the entry in the audit log, about one of the two of a call. Only a warning may come after it. */
async function stateInCall(
  tx: Tx,
  staff: Staff,
  kind: 'warning' | 'call_end',
  { id, user_id, rule, comment }: Act,
): Promise<{ readonly statement_id: number; readonly isOver: boolean }> {
  const call = (await anyCallById(tx, id)) ?? refuse('not_found')
  const isIn = user_id === call.guy_id || user_id === call.girl_id
  if (!isIn) refuse('not_found')
  await requireOtherPerson(tx, staff, [call.guy_id, call.girl_id])
  // Of two ends at once the second sees the statement of the first.
  await lockUser(tx, call.girl_id)
  const end = await findCallEnd(tx, call)
  const isOver = call.closed_at !== null || end !== undefined
  if (kind === 'call_end' && call.closed_at !== null) refuse('not_found')
  if (kind === 'call_end' && end !== undefined) return { statement_id: end, isOver }
  if (isOver && (await userById(tx, user_id))?.erased_at) refuse('not_found')
  if (kind === 'warning')
    await refuseDoubled(tx, { user_id, kind, reason: rule, session_id: id, by: staff.email })
  await checkBulk(tx, staff, 'warning')
  const statement_id = await insertStatement(tx, {
    user_id,
    kind,
    reason: rule,
    comment,
    until: null,
    automatic: false,
    imposed_by: staff.email,
    session_id: id,
  })
  await addNotice(tx, {
    user_id,
    kind: 'statement',
    facts: { what: kind, statement_id },
    key: `statement:${statement_id}:begun`,
  })
  await writeAudit(tx, {
    staff,
    act: kind === 'warning' ? 'call_warn' : 'call_end',
    user_id,
    reason: rule,
    words: comment,
    facts: { session_id: id, statement_id },
  })
  return { statement_id, isOver }
}
