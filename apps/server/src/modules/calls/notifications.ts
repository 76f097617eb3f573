import { otherRole, ROLES } from '@duet/protocol/kernel/roles.ts'
import { msBetween } from '../../lib/clock.ts'
import { toWire } from '../../lib/money.ts'
import type { App, Tx } from '../../core/app.ts'
import type { DomainEvents } from '../../core/domain-events.ts'
import { balances, shownBalances } from '../ledger/index.ts'
import { registeredCall } from './call-registry.ts'
import { ASSET_OF } from './money.ts'
import type { CallCommand, CallMeterReading } from './rules/call-events.ts'
import { getUserId, type Call, type Side } from './rules/call.ts'
import { sidesToRequeue } from './rules/closing.ts'
import { earnedUnits, minuteUnits, receipt } from './rules/receipt.ts'
import { getMedia, getSoundOnly } from './rules/sound-only.ts'
import { getMeter, getReceipt, readSession } from './views.ts'

/**
 * Sends the meter to both users, each in their own asset. The event is transient, because the next event
 * follows within ten seconds. The events of the guy keep their order, although each event reads his balance
 * first.
 */
export function notifyMeter(app: App, call: Call, reading: CallMeterReading): void {
  app.emit(call.girl_id, 'meter', getMeter(call, 'girl', reading))
  const registered = registeredCall(app, call.session_id)
  const sent = (registered?.meter_sent ?? Promise.resolve()).then(() =>
    sendMeterToGuy(app, call, reading),
  )
  if (registered) registered.meter_sent = sent
}

async function sendMeterToGuy(app: App, call: Call, reading: CallMeterReading): Promise<void> {
  try {
    const { balance } = await shownBalances(app, app.db, call.guy_id)
    app.emit(call.guy_id, 'meter', { ...getMeter(call, 'guy', reading), balance })
  } catch (error) {
    app.log.warn({ err: error, session_id: call.session_id }, 'a meter event could not be sent')
  }
}

/** Shows what one side sends to the other side. Transient: a page that reloads reads it in its session. */
export function notifyMedia(app: App, call: Call, side: Side): void {
  app.emit(getUserId(call, otherRole(side)), 'partner_media', {
    session_id: call.session_id,
    user_id: getUserId(call, side),
    ...getMedia(call[side]),
  })
}

/** Sends to both who agrees to go on with sound. */
export function notifySoundOnly(app: App, call: Call): void {
  for (const side of ROLES)
    app.emit(getUserId(call, side), 'sound_only', {
      session_id: call.session_id,
      ...getSoundOnly(call, side),
    })
}

/** Sends new_session to both: the call opened, or changed. A failure for one side does not affect the other. */
export async function notifyNewSession(app: App, call: Call): Promise<void> {
  await Promise.allSettled(
    ROLES.map(async (side) => {
      const session = await readSession(app, app.db, call, side)
      app.emit(getUserId(call, side), 'new_session', { session })
    }),
  )
}

/** Writes the receipt into both change logs, and publishes the end of the call to the other modules. */
export async function notifyClosed(
  tx: Tx,
  call: Call,
  close: Extract<CallCommand, { type: 'close' }>,
): Promise<void> {
  for (const side of ROLES) {
    const userId = getUserId(call, side)
    const { balance, balance_messages } = await balances(tx, userId)
    await tx.notify(userId, 'close_session', getReceipt(close[side], side, balance))
    if (call.paid_seconds > 0) await tx.notify(userId, 'balance', { balance, balance_messages })
  }
  await tx.publish('call_closed', getClosedEvent(call, { recovered: false }))
  const units = earnedUnits(call, call.paid_seconds)
  if (units > 0n)
    await tx.publish('girl_earned', { girl_id: call.girl_id, guy_id: call.guy_id, units })
}

function getClosedEvent(
  call: Call,
  { recovered }: { recovered: boolean },
): DomainEvents['call_closed'] {
  const { session_id, guy_id, girl_id, kind, state, connected_at, break_set } = call
  const { reason, seconds, paid_seconds } = receipt(call, 'guy')
  return {
    session_id,
    guy_id,
    girl_id,
    kind,
    state,
    reason,
    connected: connected_at !== null,
    seconds,
    paid_seconds,
    requeue: sidesToRequeue(call),
    begin_break: break_set,
    recovered,
  }
}

/**
 * Follows up a commit of this call whose answer was lost. The transaction has stored all durable effects,
 * also of other modules. What follows a commit is done now, as far as the stored call shows it.
 */
export async function followUpCommit(app: App, call: Call): Promise<void> {
  const { session_id, guy_id, girl_id, state, status } = call
  await app.transact((tx) =>
    status === 'closed'
      ? tx.publish('call_closed', getClosedEvent(call, { recovered: true }))
      : tx.publish('call_opened', { session_id, guy_id, girl_id, state, recovered: true }),
  )
}

export function notifyPrivateRequest(
  tx: Tx,
  call: Call,
  to: Side,
  expiresAt: Temporal.Instant,
): Promise<void> {
  return tx.notify(getUserId(call, to), 'session_up', {
    session_id: call.session_id,
    user_id: getUserId(call, otherRole(to)),
    expires_in_ms: Math.max(0, msBetween(tx.now, expiresAt)),
    price: toWire(ASSET_OF[to], minuteUnits(call, to, 'private')),
  })
}
