import type { DomainEvents } from '../../core/domain-events.ts'
import type { UserId } from '../../core/ids.ts'
import type { App, Tx } from '../../core/app.ts'
import { endQuiet, partyOfCurrentCall, type PartyInCall, registeredCall } from './call-registry.ts'
import { dispatchEvent } from './process.ts'
import { callsBetweenBlocked } from './queries.ts'
import type { CallEvent } from './rules/call-events.ts'
import { findSide, type StaffReason } from './rules/call.ts'

/**
 * Applies an event of another module to the current call of a user. It runs right after that module's
 * commit, in the call's own queue and transaction. A call decides one event at a time, and reports change
 * the call without a transaction. If the process dies in between, the call is recovered without the event.
 * If a party does not return, the call ends after the grace time.
 */
function applyToCurrentCall(
  tx: Tx,
  userId: UserId,
  eventFor: (party: PartyInCall) => CallEvent | undefined,
): void {
  const { app } = tx
  tx.afterCommit(async () => {
    const party = partyOfCurrentCall(app, userId)
    const event = party && eventFor(party)
    if (event) await dispatchEvent(app, party.call.session_id, event)
  })
}

/** For a logout and for a deleted account. */
export async function endForUser(tx: Tx, { user_id }: { user_id: UserId }): Promise<void> {
  applyToCurrentCall(tx, user_id, ({ side }) => ({ type: 'left', side }))
}

export async function endForBan(tx: Tx, { user_id }: DomainEvents['banned']): Promise<void> {
  applyToCurrentCall(tx, user_id, () => ({ type: 'ended_by_staff', reason: 'banned' }))
}

/** Whether this call is open in this server process. */
export function isRunning(app: App, session_id: number): boolean {
  return registeredCall(app, session_id) !== undefined
}

/** Ends an open call for a reason of moderation. A call that is over stays as it ended. */
export async function endByStaff(app: App, session_id: number, reason: StaffReason): Promise<void> {
  if (isRunning(app, session_id))
    await dispatchEvent(app, session_id, { type: 'ended_by_staff', reason })
}

/**
 * The process may die between the commit of a block and the end of the call that the block ends: the next server process
 * ends such calls when users can reach it.
 */
export async function endCallsBetweenBlocked(app: App): Promise<void> {
  for (const session_id of await callsBetweenBlocked(app.db))
    app.background(
      'ending a call between blocked users',
      dispatchEvent(app, session_id, { type: 'left', side: 'girl' }),
      { session_id },
    )
}

/** A block ends the call of the two; a call with a third user goes on. */
export async function endForBlock(
  tx: Tx,
  { user_id, blocked_id }: DomainEvents['blocked'],
): Promise<void> {
  applyToCurrentCall(tx, user_id, ({ call, side }) =>
    findSide(call, blocked_id) ? { type: 'left', side } : undefined,
  )
}

export async function applyAddedFunds(
  tx: Tx,
  { user_id, asset }: DomainEvents['balance_added'],
): Promise<void> {
  if (asset === 'diamond') continueByFunds(tx, user_id)
}

/** Minutes that a guy buys, or redeems from a gift card, while his last ones run out keep his call. */
export async function applyBoughtMinutes(
  tx: Tx,
  { user_id, pack }: DomainEvents['purchase_paid'],
): Promise<void> {
  if (pack === 'minutes') continueByFunds(tx, user_id)
}

function continueByFunds(tx: Tx, guy_id: UserId): void {
  applyToCurrentCall(tx, guy_id, ({ side }) =>
    side === 'guy' ? { type: 'funds_added' } : undefined,
  )
}

/** A gift in a call: the two are not silent. */
export async function endQuietByGift(
  tx: Tx,
  { giver_id, session_id }: DomainEvents['gift_given'],
): Promise<void> {
  tx.afterCommit(() => {
    const party = partyOfCurrentCall(tx.app, giver_id)
    if (party && party.call.session_id === session_id) endQuiet(tx.app, party)
  })
}
