import type { Answer, Body, Query } from '@duet/protocol'
import type { App } from '../../../core/app.ts'
import type { RequestContext } from '../../../core/request-context.ts'
import type { Guest, Member, Staff } from '../../../core/viewer.ts'
import { refuse } from '../../../lib/refusal.ts'
import { writeAudit } from '../../audit/index.ts'
import { checkBulk } from '../../bulk/index.ts'
import { userById } from '../../identity/index.ts'
import { requireOtherPerson } from '../../staff/index.ts'
import { announceStatement } from './announce-statement.ts'
import { firstUnread, markRead } from './sanction-store.ts'

/** POST v2/manager/warning/impose. Refuses not_found, role_forbidden, bulk_stopped. */
export async function warnByStaff(
  app: App,
  staff: Staff,
  { user_id, reason, comment }: Body<'POST v2/manager/warning/impose'>,
  context: RequestContext,
): Promise<Answer<'POST v2/manager/warning/impose'>> {
  return app.transact(async (tx) => {
    const user = await userById(tx, user_id)
    if (!user?.role || user.erased_at) refuse('not_found')
    await requireOtherPerson(tx, staff, [user_id])
    await checkBulk(tx, staff, 'warning')
    const warned = { user_id, kind: 'warning', reason, comment, by: staff.email } as const
    const statement_id = await announceStatement(tx, warned)
    const facts = { statement_id }
    await writeAudit(tx, { staff, act: 'warning_impose', user_id, reason, facts, words: comment })
    const answer = { statement_id }
    return context.storeAnswer ? context.storeAnswer(tx, answer) : answer
  })
}

/** POST statements/{id}/read. Repeating it changes nothing. Refuses not_found. */
export async function readOneStatement(
  app: App,
  viewer: Guest | Member,
  { id }: Query<'POST statements/{id}/read'>,
): Promise<Answer<'POST statements/{id}/read'>> {
  return app.transact(async (tx) => {
    if (!(await markRead(tx, viewer.id, id))) refuse('not_found')
    return { next: await firstUnread(tx, viewer.id) }
  })
}
