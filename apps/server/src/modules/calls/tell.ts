import { toWire } from '../../lib/money.ts'
import type { App } from '../../core/app.ts'
import type { Tx } from '../../core/tx.ts'
import { minuteUnits, receipt } from './call/receipt.ts'
import { balances, shownBalances } from '../ledger/index.ts'
import type { Effect, MeterReading } from './call/call-events.ts'
import type { Call, Side } from './call/call.ts'
import { idOf, type LiveCall } from './live.ts'
import { assetOf } from './money.ts'
import { meterOf, receiptOf, sessionOf } from './views.ts'

const sides: readonly Side[] = ['guy', 'girl']

/** The meter to both, each in his own currency. It is no record: what it says again in ten seconds need not wait for anything. */
export function tellMeter(app: App, call: Call, reading: MeterReading): void {
  app.emit(call.girl_id, 'meter', meterOf(call, 'girl', reading))
  shownBalances(app, app.db, call.guy_id).then(
    ({ balance }) => app.emit(call.guy_id, 'meter', { ...meterOf(call, 'guy', reading), balance }),
    (error: unknown) =>
      app.log.warn({ err: error, session_id: call.session_id }, 'a meter could not be told'),
  )
}

/** new_session to both: the call opened, or changed. What keeps one from being told keeps nothing from the other. */
export async function tellNewSession(app: App, live: LiveCall): Promise<void> {
  await Promise.allSettled(
    sides.map(async (side) => {
      const session = await sessionOf(app, app.db, live, side)
      app.emit(idOf(live.call, side), 'new_session', { session })
    }),
  )
}

/** The receipt to both, as a change that nobody misses. */
export async function tellClosed(
  tx: Tx,
  call: Call,
  { guy, girl }: Extract<Effect, { kind: 'close' }>,
): Promise<void> {
  for (const side of sides) {
    const user_id = idOf(call, side)
    const { balance, balance_messages } = await balances(tx, user_id)
    await tx.notify(user_id, 'close_session', receiptOf(side === 'guy' ? guy : girl, side, balance))
    if (call.paid_seconds > 0) await tx.notify(user_id, 'balance', { balance, balance_messages })
  }
  await stateClosed(tx, call)
}

/** The other modules hear that the call is over. */
export function stateClosed(tx: Tx, call: Call): Promise<void> {
  const { session_id, guy_id, girl_id } = call
  const { reason, seconds, paid_seconds } = receipt(call, 'guy')
  const connected = call.connected_at !== null
  return tx.publish('call_closed', {
    session_id,
    guy_id,
    girl_id,
    reason,
    connected,
    seconds,
    paid_seconds,
    requeue: [],
    begin_break: false,
  })
}

export function tellSessionUp(
  tx: Tx,
  call: Call,
  to: Side,
  expires_at: Temporal.Instant,
): Promise<void> {
  return tx.notify(idOf(call, to), 'session_up', {
    session_id: call.session_id,
    user_id: idOf(call, to === 'guy' ? 'girl' : 'guy'),
    expires_in_ms: Math.max(0, expires_at.epochMilliseconds - tx.now.epochMilliseconds),
    price: toWire(assetOf[to], minuteUnits(call, to, 'private')),
  })
}
