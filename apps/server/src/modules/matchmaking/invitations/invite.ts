import type { Ack, Input } from '@duet/protocol'
import { otherRole } from '@duet/protocol/kernel/roles.ts'
import { newUuid } from '../../../lib/ids.ts'
import { refuse } from '../../../lib/refusal.ts'
import type { App, Tx } from '../../../core/app.ts'
import type { Db } from '../../../core/db.ts'
import type { UserId } from '../../../core/ids.ts'
import type { Member } from '../../../core/viewer.ts'
import { hasFreeStart } from '../../allowances/index.ts'
import { findMeetable } from '../../blocks/index.ts'
import { affordable, missingOnWire } from '../../ledger/index.ts'
import { getActivity, isInCall } from '../../presence/index.ts'
import { setting } from '../../settings/index.ts'
import { assertAgeProven, needsAgeProof } from '../../verification/index.ts'
import { assertMaySearch, isHiddenPair } from '../queries.ts'
import { findSearchSession, runExclusive } from '../search-sessions.ts'
import { endSearch } from '../stop-search.ts'
import { getUserId, msUntil } from '../views.ts'
import { acceptInvitation } from './answer-invitation.ts'
import { holdSearch } from './hold-search.ts'
import { privateReserve, readCallFacts } from './invite-facts.ts'
import { findCallRefusal } from './invite-rules.ts'
import { findInvitation, invitationRules, invitations } from './invitation-process.ts'
import {
  type Invitation,
  openInvitation,
  type InvitationOpening,
  waitAfterUnanswered,
  waitBeforeRing,
} from './invitation-rules.ts'
import { formerRings, invitationByRandomId, unansweredRings } from './invitation-store.ts'

/**
 * Calls another user: the invitation rings at both. It ends the caller's search; a call that is refused leaves the search
 * as it was. Calling the same user again while it rings changes nothing, and calling the user who is calling the viewer
 * accepts that call.
 */
export function invite(
  app: App,
  viewer: Member,
  { user_id, random_id }: Input<'INVITE_TO_CHAT'>,
): Promise<Ack<'INVITE_TO_CHAT'>> {
  return runExclusive(app, viewer.id, async () => {
    if (!viewer.age_confirmed) refuse('age_unconfirmed')
    const repeated = await findRepeated(app, viewer, user_id, random_id)
    if (repeated) return toAnswer(app, repeated)
    const open = findInvitation(app, viewer.id)
    if (open && getUserId(open, otherRole(viewer.role)) === user_id) {
      if (open.caller !== viewer.role) await acceptInvitation(app, viewer, open.pair_id)
      return toAnswer(app, open)
    }
    if (open || isInCall(app, viewer.id)) refuse('in_call', { who: 'you' })
    await assertMayCall(app, viewer)
    await assertMayBeCalled(app, app.db, viewer, user_id)
    const search = findSearchSession(app, viewer.id)
    if (!search) return ring(app, viewer, user_id, random_id ?? null)
    return holdSearch(app, search, async () => {
      const answer = await ring(app, viewer, user_id, random_id ?? null)
      await endSearch(app, search, 'stopped')
      return answer
    })
  })
}

/** The answer of this request was lost, and its page sends it again. */
async function findRepeated(
  app: App,
  { id, role }: Member,
  user_id: UserId,
  random_id: string | undefined,
): Promise<Invitation | undefined> {
  if (random_id === undefined) return undefined
  const sent = await invitationByRandomId(app.db, { caller: role, caller_id: id }, random_id)
  if (!sent) return undefined
  if (getUserId(sent, otherRole(role)) !== user_id)
    refuse('invalid', {
      fields: [{ path: 'random_id', message: 'This id belongs to a call of another user' }],
    })
  return sent.state === 'closed' ? refuse('pair_over') : sent
}

function toAnswer(app: App, { pair_id, wake_at }: Invitation): Ack<'INVITE_TO_CHAT'> {
  return { pair_id, expires_in_ms: msUntil(app, wake_at) }
}

/** The conditions that concern the caller alone. */
async function assertMayCall(app: App, viewer: Member): Promise<void> {
  if (viewer.role === 'girl') return assertMaySearch(app, app.db, viewer.id, 'girl')
  await assertAgeProven(app, viewer)
}

async function assertMayBeCalled(app: App, db: Db, viewer: Member, user_id: UserId): Promise<void> {
  const facts = (await readCallFacts(app, db, viewer, [user_id])).get(user_id)
  const refusal = facts ? findCallRefusal(facts) : 'not_found'
  if (refusal === 'in_call') refuse('in_call', { who: 'other' })
  if (refusal === 'no_balance') {
    const missing = privateReserve(app) - (await affordable(db, viewer.id, 'diamond'))
    refuse('no_balance', { missing: missingOnWire('diamond', missing) })
  }
  if (refusal) refuse(refusal)
  if (viewer.role === 'girl' && (await needsAgeProof(app, db, user_id))) refuse('user_offline')
}

async function ring(
  app: App,
  viewer: Member,
  user_id: UserId,
  random_id: string | null,
): Promise<Ack<'INVITE_TO_CHAT'>> {
  const pair_id = newUuid()
  const [guy_id, girl_id] = viewer.role === 'guy' ? [viewer.id, user_id] : [user_id, viewer.id]
  const pair = { pair_id, guy_id, girl_id, caller: viewer.role, random_id }
  const isOpened = await invitations(app).create(pair_id, async (tx) => {
    await findMeetable(tx, viewer, user_id)
    if (await isHiddenPair(tx, pair)) refuse('not_found')
    await assertMayBeCalled(app, tx, viewer, user_id)
    const waitMs = await readWait(tx, viewer, pair)
    if (waitMs > 0) refuse('too_many', { retry_after: Math.ceil(waitMs / 1000) })
    const isFree = await hasFreeStart(app, tx, { guy_id, girl_id, at: tx.now })
    const opening: InvitationOpening = {
      ...pair,
      free_seconds: isFree ? setting(app, 'paid_after') : 0,
    }
    return openInvitation(opening, tx.now, invitationRules(app))
  })
  // Another user rings there, or this pair was found by its other side.
  if (!isOpened) refuse('in_call', { who: 'other' })
  // A private call of the callee opened while this ring was stored.
  if (getActivity(app, user_id) === 'private') {
    await invitations(app).dispatch(pair_id, { type: 'taken', side: otherRole(viewer.role) })
    refuse('in_call', { who: 'other' })
  }
  return { pair_id, expires_in_ms: invitationRules(app).ring_ms }
}

/** For how many milliseconds the caller must not ring: this callee again, or anyone after many rings without an answer. */
async function readWait(
  tx: Tx,
  { id, role }: Member,
  pair: Pick<Invitation, 'guy_id' | 'girl_id' | 'caller'>,
): Promise<number> {
  const { app, now } = tx
  const limit = setting(app, 'unanswered_rings_a_day')
  const unanswered = await unansweredRings(tx, { caller: role, caller_id: id }, { now, limit })
  const waitMs = waitBeforeRing(await formerRings(tx, pair, now), now, {
    again_ms: setting(app, 'ring_again') * 1000,
    rings_an_hour: setting(app, 'rings_an_hour'),
  })
  return Math.max(waitMs, waitAfterUnanswered(unanswered, now, limit))
}
