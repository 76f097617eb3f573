import type { Answer, Body } from '@duet/protocol'
import type { App } from '../../../core/app.ts'
import type { RequestContext } from '../../../core/request-context.ts'
import type { Staff } from '../../../core/viewer.ts'
import { wireTime } from '../../../lib/clock.ts'
import { refuse } from '../../../lib/refusal.ts'
import { writeAudit } from '../../audit/index.ts'
import { checkBulk } from '../../bulk/index.ts'
import { lockUser, userById } from '../../identity/index.ts'
import { refuseClosedCase } from '../complaints/named-case.ts'
import { requireOtherPerson } from '../../staff/index.ts'
import { attachPicture } from '../penalties/picture-store.ts'
import { permittedEnd } from './ban-end.ts'
import { imposeSanction } from './impose-sanction.ts'
import { refuseCovered } from './standing-bans.ts'

/** POST v2/manager/ban/impose. Refuses not_found, role_forbidden, bulk_stopped, banned_already. */
export async function banByStaff(
  app: App,
  staff: Staff,
  {
    user_id,
    reason,
    until,
    hours,
    comment,
    evidence,
    complaint_id,
    session_id,
  }: Body<'POST v2/manager/ban/impose'>,
  context: RequestContext,
): Promise<Answer<'POST v2/manager/ban/impose'>> {
  if (until === undefined && hours === undefined)
    refuse('invalid', { fields: [{ path: 'until', message: 'An end, or null for none' }] })
  const end = permittedEnd(app, staff, { until, hours })
  return app.transact(async (tx) => {
    const user = await userById(tx, user_id)
    if (!user?.role || user.erased_at) refuse('not_found')
    await requireOtherPerson(tx, staff, [user_id])
    if (complaint_id) await refuseClosedCase(tx, { complaint_id, user_id })
    // Of two bans at once the second sees the first.
    await lockUser(tx, user_id)
    await refuseCovered(tx, { user_id, reason, until: end })
    await checkBulk(tx, staff, 'ban')
    const statement_id = await imposeSanction(tx, {
      user_id,
      kind: 'ban',
      reason,
      until: end,
      comment,
      automatic: false,
      session_id,
      by: staff.email,
    })
    for (const picture_id of evidence ?? [])
      if (!(await attachPicture(tx, { picture_id, statement_id, by: staff.email })))
        refuse('not_found')
    await writeAudit(tx, {
      staff,
      act: 'ban_impose',
      user_id,
      reason,
      words: comment,
      facts: {
        statement_id,
        until: end && wireTime(end),
        ...(evidence && { evidence: evidence.join(' ') }),
        ...(complaint_id && { complaint_id }),
        ...(session_id && { session_id }),
      },
    })
    const answer = { statement_id }
    return context.storeAnswer ? context.storeAnswer(tx, answer) : answer
  })
}
