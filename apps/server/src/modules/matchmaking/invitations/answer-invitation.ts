import type { Ack } from '@duet/protocol'
import { otherRole } from '@duet/protocol/kernel/roles.ts'
import { Refusal, refuse } from '../../../lib/refusal.ts'
import type { App, Tx } from '../../../core/app.ts'
import { createPort } from '../../../core/port.ts'
import type { UserId } from '../../../core/ids.ts'
import type { Member } from '../../../core/viewer.ts'
import { affordable, missingOnWire } from '../../ledger/index.ts'
import { getActivity, isInCall } from '../../presence/index.ts'
import { isOpeningRefused } from '../enqueue.ts'
import { assertMaySearch, isHiddenPair } from '../queries.ts'
import { findSearchSession } from '../search-sessions.ts'
import { getUserId, sideOfUser } from '../views.ts'
import { privateReserve } from './invite-facts.ts'
import { invitations } from './invitation-process.ts'
import type { Invitation, InvitationCommand, InvitationEvent } from './invitation-rules.ts'

/**
 * Ends the public call of a user as `left`, and continues in the same transaction: `then` opens the next
 * call. If `then` throws, the call goes on. `from_search`: the user came into the ended call from search.
 * False: the user has no public call here.
 */
export type EndPublicCall = (
  app: App,
  user_id: UserId,
  then: (tx: Tx, ended: { readonly from_search: boolean }) => Promise<void>,
) => Promise<boolean>

export const endPublicCall = createPort<EndPublicCall>(
  'the end of a public call',
  async () => false,
)

/**
 * Accepts an invitation. The call opens in this transaction, which also ends a public call of the viewer, or
 * the invitation ends without a call. Runs inside `runExclusive` of the viewer.
 */
export async function acceptInvitation(
  app: App,
  viewer: Member,
  pair_id: string,
): Promise<Ack<'SEARCH_PAIR_ACCEPT'>> {
  const open = invitations(app).get(pair_id)
  if (open && getActivity(app, viewer.id) === 'private') refuse('in_call', { who: 'you' })
  try {
    if (open && isInCall(app, viewer.id) && (await acceptFromCall(app, viewer, pair_id))) return {}
    const commands = await invitations(app).dispatch(pair_id, (tx, invitation) =>
      answerAsCallee(tx, viewer, invitation, {
        from_search: findSearchSession(app, viewer.id) !== undefined,
      }),
    )
    if (isOpened(commands)) return {}
  } catch (error) {
    if (error instanceof AnswerRefusal) throw error
    if (!isOpeningRefused(error)) throw error
    await endAsTaken(app, viewer, pair_id)
  }
  return refuse('pair_over')
}

/** The viewer lacks something. The invitation stays open: it may be accepted later. */
class AnswerRefusal extends Refusal {}

/** Rolls back the end of a public call. */
class NotOpenedRefusal extends Refusal {}

/** The public call ends only if the new call opens. False: nothing has changed. */
async function acceptFromCall(app: App, viewer: Member, pair_id: string): Promise<boolean> {
  try {
    return await endPublicCall.get(app)(app, viewer.id, async (tx, ended) => {
      const commands = await invitations(app).applyIn(tx, pair_id, (_, invitation) =>
        answerAsCallee(tx, viewer, invitation, ended),
      )
      if (!isOpened(commands)) throw new NotOpenedRefusal('pair_over')
    })
  } catch (error) {
    if (error instanceof NotOpenedRefusal) return false
    throw error
  }
}

/** A repeated acceptance that was counted has no command. */
function isOpened(commands: readonly InvitationCommand[] | undefined): boolean {
  return (
    commands !== undefined && !commands.some(({ type }) => type === 'refuse' || type === 'close')
  )
}

/** The event of the callee's acceptance: what has changed on either side since the ring began may end it. */
async function answerAsCallee(
  tx: Tx,
  viewer: Member,
  invitation: Invitation,
  ended: { readonly from_search: boolean },
): Promise<InvitationEvent> {
  const side = sideOfUser(invitation, viewer.id)
  if (side === undefined || side === invitation.caller) throw new AnswerRefusal('pair_over')
  if (invitation.state !== 'open') return { type: 'accepted', ...ended }
  if (await isHiddenPair(tx, invitation)) return { type: 'blocked' }
  const caller = otherRole(side)
  if (isInCall(tx.app, getUserId(invitation, caller)))
    return { type: 'taken', side: caller, is_answered: true }
  const missing = privateReserve(tx.app) - (await affordable(tx, invitation.guy_id, 'diamond'))
  if (missing > 0n && caller === 'guy') return { type: 'unable' }
  if (missing > 0n)
    throw new AnswerRefusal('no_balance', { missing: missingOnWire('diamond', missing) })
  const obstacle = await girlObstacle(tx, invitation.girl_id)
  if (obstacle && caller === 'girl') return { type: 'unable' }
  if (obstacle) throw new AnswerRefusal(obstacle.refusal)
  return { type: 'accepted', ...ended }
}

async function girlObstacle(tx: Tx, girl_id: UserId): Promise<Refusal | undefined> {
  try {
    await assertMaySearch(tx.app, tx, girl_id, 'girl')
    return undefined
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

/** The call could not open, because one of the two is in a call already; the acceptance was rolled back. */
async function endAsTaken(app: App, viewer: Member, pair_id: string): Promise<void> {
  const isMine = isInCall(app, viewer.id)
  await invitations(app).dispatch(pair_id, {
    type: 'taken',
    side: isMine ? viewer.role : otherRole(viewer.role),
    is_answered: true,
  })
  if (isMine) refuse('in_call', { who: 'you' })
}

/** The callee declines, or the caller withdraws the invitation. */
export async function rejectInvitation(
  app: App,
  viewer: Member,
  pair_id: string,
): Promise<Ack<'SEARCH_PAIR_REJECT'>> {
  const commands = await invitations(app).dispatch(pair_id, async (_, invitation) => {
    const side = sideOfUser(invitation, viewer.id) ?? refuse('pair_over')
    return { type: side === invitation.caller ? 'withdrawn' : 'declined' }
  })
  if (!commands || commands.some(({ type }) => type === 'refuse')) refuse('pair_over')
  return {}
}
