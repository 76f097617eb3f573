import { fromDecimal } from '../../lib/money.ts'
import { newUuid } from '../../lib/ids.ts'
import { refuse } from '../../lib/refusal.ts'
import type { Tx } from '../../core/tx.ts'
import type { DomainEvents } from '../../core/domain-events.ts'
import { getQuota } from '../allowances/index.ts'
import { setting } from '../settings/index.ts'
import type { Opening } from './call/call.ts'
import { carryOut } from './happen.ts'
import { enliven, newLiveCall, no_money, rulesNow } from './live.ts'
import { openCall } from './call/rules.ts'
import { insertCall, nextSessionId, updateCall } from './store.ts'
import { tellNewSession } from './tell.ts'

/** Both said yes: both get exactly one call, or neither does. */
export async function openSession(tx: Tx, said: DomainEvents['pair_accepted']): Promise<void> {
  const { app } = tx
  const opening = await openingOf(tx, said)
  const { call, effects } = openCall(opening, tx.now, rulesNow(app))
  await insertCall(tx, call, no_money).catch((error: unknown) => {
    if (isTaken(error)) refuse('in_call', { who: 'other' })
    throw error
  })
  const live = newLiveCall(call)
  const standing = { call, money: no_money }
  // First of the effects: what follows finds the call here.
  tx.afterCommit(() => enliven(app, live, standing))
  await carryOut(tx, live, standing, effects)
  await updateCall(tx, standing.call, standing.money)
  const { session_id, guy_id, girl_id, state } = call
  await tx.publish('call_opened', { session_id, guy_id, girl_id, state, recovered: false })
  tx.afterCommit(() => tellNewSession(app, live))
}

/** Prices are fixed here: a change of settings meets the next call. */
async function openingOf(tx: Tx, said: DomainEvents['pair_accepted']): Promise<Opening> {
  const { app } = tx
  const { kind, guy_id, girl_id, guy_from_search, girl_from_search, free_start } = said
  return {
    session_id: await nextSessionId(tx),
    session_guid: newUuid(),
    guy_id,
    girl_id,
    kind,
    guy_from_search,
    girl_from_search,
    price_public: fromDecimal('diamond', setting(app, 'price_public')),
    price_private: fromDecimal('diamond', setting(app, 'price_private')),
    earn_public: fromDecimal('coin', setting(app, 'earn_public')),
    earn_private: fromDecimal('coin', setting(app, 'earn_private')),
    paid_after: setting(app, 'paid_after'),
    free_start,
    quota_seconds: await getQuota(tx, guy_id),
  }
}

function isTaken(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === '23505'
}
