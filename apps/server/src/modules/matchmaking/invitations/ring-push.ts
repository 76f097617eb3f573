import type { App, Tx } from '../../../core/app.ts'
import { msBetween } from '../../../lib/clock.ts'
import { interlocutors, type UserRow } from '../../identity/index.ts'
import { type PushText, readBrowsers, ringSentence, sendPush } from '../../notices/index.ts'
import { getUserId } from '../views.ts'
import { calleeSide, type Invitation, isRecorded } from './invitation-rules.ts'
import { invitationById } from './invitation-store.ts'

interface RingPush {
  readonly pair_id: string
  readonly subscription_id: number
  /** The ring is over: its message on other devices rings no more. */
  readonly is_end?: true
}

/** The kind of push messages about rings in the outbox. */
export const RING_PUSH = 'ring push'
/** A device that shows a ring is awake: a message about its end is of use for a short time only. */
const END_MS = 60_000

/**
 * Rings every browser in which the callee is logged in: a phone in the pocket shows the call, and the call
 * still rings if the callee opens the page in time. A page that is on screen rings by itself.
 */
export async function enqueueRingPushes(tx: Tx, invitation: Invitation): Promise<void> {
  const { pair_id } = invitation
  const calleeId = getUserId(invitation, calleeSide(invitation))
  for (const { id: subscription_id } of await readBrowsers(tx, [calleeId])) {
    const delivery: RingPush = { pair_id, subscription_id }
    await tx.enqueue(RING_PUSH, delivery, `${pair_id}:${subscription_id}`)
  }
}

/** The devices of the callee show that the ring is over. */
export async function enqueueRingEnd(tx: Tx, invitation: Invitation): Promise<void> {
  const { pair_id } = invitation
  const calleeId = getUserId(invitation, calleeSide(invitation))
  for (const { id: subscription_id } of await readBrowsers(tx, [calleeId])) {
    const delivery: RingPush = { pair_id, subscription_id, is_end: true }
    await tx.enqueue(RING_PUSH, delivery, `${pair_id}:${subscription_id}:end`)
  }
}

/** Sends one push message about a ring. */
export function deliverRingPush(app: App, delivery: RingPush): Promise<void> {
  return sendPush(app, delivery.subscription_id, (user) => textFor(app, user, delivery))
}

/** Undefined if the message comes too late. */
async function textFor(
  app: App,
  user: UserRow,
  { pair_id, is_end }: RingPush,
): Promise<PushText | undefined> {
  const invitation = await invitationById(app.db, pair_id)
  if (!invitation || (invitation.state === 'open') === (is_end === true)) return undefined
  const restMs = is_end ? END_MS : msBetween(app.clock.now(), invitation.wake_at!)
  if (restMs <= 0) return undefined
  const [caller] = await interlocutors(app, app.db, user.id, [
    getUserId(invitation, invitation.caller),
  ])
  return {
    tag: `ring-${pair_id}`,
    ttl_seconds: Math.ceil(restMs / 1000),
    body: ringSentence(user.locale, caller?.nick ?? '', is_end ? 'over' : 'ringing'),
    url: '/',
    ring: is_end ? await getEnd(app, user, invitation) : 'ringing',
  }
}

/** A callee who is away gets a message about the missed call, and nothing in the place of the ring. */
async function getEnd(
  app: App,
  { id }: UserRow,
  invitation: Invitation,
): Promise<'over' | 'missed'> {
  return isRecorded(invitation) && !(await app.realtime.isConnected(id)) ? 'missed' : 'over'
}
