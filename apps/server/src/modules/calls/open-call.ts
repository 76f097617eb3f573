import { fromDecimal } from '../../lib/money.ts'
import { newUuid } from '../../lib/ids.ts'
import { refuse } from '../../lib/refusal.ts'
import type { Tx } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { DomainEvents } from '../../core/domain-events.ts'
import { getQuota } from '../allowances/index.ts'
import { setting } from '../settings/index.ts'
import { isTrusted, findOpenCall } from './queries.ts'
import { findPreparedGuid } from './preparation/preparations.ts'
import { callProcess, currentRules } from './process.ts'
import type { CallOpening } from './rules/call.ts'
import { openCall } from './rules/decide.ts'
import { nextSessionId } from './store.ts'
import { NO_MONEY } from './stored-call.ts'

/** Private seconds that were reserved before the call, at the prices of that time, in a hold that the call takes over. */
export interface ReservedSeconds {
  readonly seconds: number
  readonly price_private: bigint
  readonly earn_private: bigint
  /** Undefined: the price is nothing. */
  readonly hold?: { readonly hold_id: number; readonly units: bigint }
}

/** Both sides accepted the offer: in the transaction of the second acceptance the call opens for both, or for neither. */
export async function openAcceptedCall(
  tx: Tx,
  accepted: DomainEvents['pair_accepted'],
): Promise<void> {
  await openWithMoney(tx, accepted)
}

/** Opens a private call that uses up reserved seconds first, from its first second on. Returns its id. */
export function openReservedCall(
  tx: Tx,
  parties: { readonly guy_id: UserId; readonly girl_id: UserId },
  reserved: ReservedSeconds,
): Promise<number> {
  const pair = { pair_id: newUuid(), kind: 'direct', free_start: false } as const
  const accepted = { ...pair, ...parties, guy_from_search: false, girl_from_search: false }
  return openWithMoney(tx, accepted, reserved)
}

async function openWithMoney(
  tx: Tx,
  accepted: DomainEvents['pair_accepted'],
  reserved?: ReservedSeconds,
): Promise<number> {
  const { app } = tx
  const opening = await readOpening(tx, accepted, reserved)
  const { call, commands } = openCall(opening, tx.now, currentRules(app))
  const hold = reserved?.hold
  const money = hold ? { ...NO_MONEY, hold_id: hold.hold_id, held_units: hold.units } : NO_MONEY
  const isOpen = await callProcess(app).openIn(tx, { state: { call, money }, commands })
  if (!isOpen) refuse('in_call', { who: 'other' })
  const { session_id, guy_id, girl_id, state } = call
  await tx.publish('call_opened', { session_id, guy_id, girl_id, state, recovered: false })
  return session_id
}

/**
 * The call is in its row, and memory may not know the commit. The pages of the call must get its events
 * before the time to connect is over.
 */
export async function followFoundCall(
  tx: Tx,
  { guy_id }: DomainEvents['pair_accepted_found'],
): Promise<void> {
  const found = await findOpenCall(tx, guy_id)
  if (found) tx.afterCommit(() => callProcess(tx.app).compareWithRow(found.call.session_id))
}

/** Prices are fixed here: a changed setting applies to the next call. */
async function readOpening(
  tx: Tx,
  accepted: DomainEvents['pair_accepted'],
  reserved: ReservedSeconds | undefined,
): Promise<CallOpening> {
  const { app } = tx
  const { kind, guy_id, girl_id, guy_from_search, girl_from_search, free_start } = accepted
  const preparedGuid = findPreparedGuid(app, accepted)
  return {
    session_id: await nextSessionId(tx),
    session_guid: preparedGuid ?? newUuid(),
    is_prepared: preparedGuid !== undefined,
    guy_id,
    girl_id,
    kind,
    guy_from_search,
    girl_from_search,
    price_public: fromDecimal('diamond', setting(app, 'price_public')),
    price_private: reserved?.price_private ?? fromDecimal('diamond', setting(app, 'price_private')),
    earn_public: fromDecimal('coin', setting(app, 'earn_public')),
    earn_private: reserved?.earn_private ?? fromDecimal('coin', setting(app, 'earn_private')),
    paid_after: setting(app, 'paid_after'),
    free_start,
    guy_trusted: await isTrusted(tx, guy_id, tx.now),
    quota_seconds: await getQuota(tx, guy_id),
    ...(reserved && { funded_seconds: reserved.seconds }),
  }
}
