import type { Answer, Body } from '@duet/protocol'
import type { App, Tx } from '../../../core/app.ts'
import type { RequestContext } from '../../../core/request-context.ts'
import type { UserId } from '../../../core/ids.ts'
import type { Staff } from '../../../core/viewer.ts'
import { refuse } from '../../../lib/refusal.ts'
import { type Actor, writeAudit } from '../../audit/index.ts'
import { checkBulk } from '../../bulk/index.ts'
import { changeUser, lockUser, notifyUserInfo } from '../../identity/index.ts'
import { requireOtherPerson } from '../../staff/index.ts'
import { announceStatement } from '../sanctions/announce-statement.ts'

type Act = Body<'POST v2/manager/gifts/forbid'>

/** POST v2/manager/gifts/forbid. Refuses not_found, role_forbidden, bulk_stopped. */
export async function forbidByStaff(
  app: App,
  staff: Staff,
  given: Act,
  context: RequestContext,
): Promise<Answer<'POST v2/manager/gifts/forbid'>> {
  return app.transact(async (tx) => {
    await requireOtherPerson(tx, staff, [given.user_id])
    const answer = { statement_id: await forbidGifts(tx, given, staff, staff.email) }
    return context.storeAnswer ? context.storeAnswer(tx, answer) : answer
  })
}

/** A girl may not accept gifts, and reads why. Refuses not_found to all others, and where she may not already; bulk_stopped. */
export async function forbidGifts(
  tx: Tx,
  { user_id, reason, comment }: Act,
  staff: Actor,
  by: string,
): Promise<number> {
  const user = await lockUser(tx, user_id)
  if (user?.role !== 'girl' || user.erased_at || user.gifts_forbidden) refuse('not_found')
  await checkBulk(tx, staff, 'warning')
  const statement_id = await announceStatement(tx, { user_id, kind: 'gifts', reason, comment, by })
  await setForbidden(tx, user_id, true)
  const facts = { statement_id }
  await writeAudit(tx, {
    staff,
    act: 'gifts_forbid',
    user_id,
    reason,
    facts,
    words: comment,
    ...FORBIDDEN,
  })
  return statement_id
}

const FORBIDDEN = { before: { gifts_forbidden: false }, after: { gifts_forbidden: true } }

async function setForbidden(tx: Tx, user_id: UserId, gifts_forbidden: boolean): Promise<void> {
  await changeUser(tx, user_id, { gifts_forbidden })
  await notifyUserInfo(tx, user_id)
}

/** A girl may accept gifts again. */
export async function permitGifts(tx: Tx, user_id: UserId): Promise<void> {
  const user = await lockUser(tx, user_id)
  if (user?.gifts_forbidden) await setForbidden(tx, user_id, false)
}
