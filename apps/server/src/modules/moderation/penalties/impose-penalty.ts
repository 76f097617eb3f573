import type { PenaltyPlace, RuleName } from '@duet/protocol/contracts/moderation.ts'
import type { Tx } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import { fromDecimal } from '../../../lib/money.ts'
import { refuse } from '../../../lib/refusal.ts'
import { hadCall } from '../../calls/index.ts'
import { lockUser, userById } from '../../identity/index.ts'
import { lockAffordable, type Movement, notifyBalance, transfer } from '../../ledger/index.ts'
import { addNotice } from '../../notices/index.ts'
import { setting } from '../../settings/index.ts'
import { attachPicture } from './picture-store.ts'
import { refuseDoubled } from '../sanctions/doubled-act.ts'
import { insertStatement } from '../sanctions/sanction-store.ts'
import {
  changePenalty,
  countPenalties,
  insertPenalty,
  lockPenalties,
  type PenaltyRow,
} from './penalty-store.ts'

export interface NewPenalty {
  readonly user_id: UserId
  readonly reason: RuleName
  readonly place: PenaltyPlace
  /** Units of coins, more than 0. */
  readonly amount: bigint
  readonly comment: string
  /** An uploaded picture that no penalty has yet. */
  readonly screenshot?: string | undefined
  /** Her call in which the rule was broken. */
  readonly session_id?: number | undefined
  readonly by: string
}

/**
 * Takes coins of a girl. The coins that she does not have become a debt, which later earnings pay. Her only penalty
 * returns when she earns enough in time. Returns the number of the statement. Refuses
 * not_found for anyone but a girl, for a call that is not hers, and for a screenshot of another person or penalty; decided where another member of staff has just
 * fined her for it.
 */
export async function imposePenalty(
  tx: Tx,
  { user_id, reason, place, amount, comment, screenshot, session_id, by }: NewPenalty,
): Promise<number> {
  await lockUser(tx, user_id)
  const user = await userById(tx, user_id)
  if (user?.role !== 'girl' || user.erased_at) refuse('not_found')
  if (session_id !== undefined && !(await hadCall(tx, session_id, user_id, user_id)))
    refuse('not_found')
  if (session_id !== undefined)
    await refuseDoubled(tx, { user_id, kind: 'penalty', reason, session_id, by })
  const statement_id = await insertStatement(tx, {
    user_id,
    kind: 'penalty',
    reason,
    comment,
    until: null,
    automatic: false,
    imposed_by: by,
    session_id: session_id ?? null,
  })
  const paid = await takeCoins(tx, { statement_id, user_id, amount })
  const days = setting(tx.app, 'penalty_refund_days')
  await insertPenalty(tx, {
    statement_id,
    girl_id: user_id,
    place,
    amount,
    paid,
    refundable_until: tx.now.add({ hours: 24 * days }),
  })
  const picture = screenshot && { picture_id: screenshot, statement_id, by }
  if (picture && !(await attachPicture(tx, picture))) refuse('not_found')
  await notifyBalance(tx, user_id, 'penalty')
  await tx.notify(user_id, 'penalty', { statement_id })
  await addNotice(tx, {
    user_id,
    kind: 'penalty',
    facts: { statement_id },
    key: `penalty:${statement_id}`,
  })
  return statement_id
}

/** Takes the coins that are there, and makes the rest a debt. Returns what was taken. */
async function takeCoins(
  tx: Tx,
  { statement_id, user_id, amount }: { statement_id: number; user_id: UserId; amount: bigint },
): Promise<bigint> {
  const there = await lockAffordable(tx, user_id, 'coin')
  const paid = there < amount ? there : amount
  const base = { what: 'penalty', cause: { kind: 'statement', id: statement_id } }
  const movements: Movement[] = []
  if (paid > 0n)
    movements.push({
      ...base,
      key: `penalty:${statement_id}:taken`,
      asset: 'coin',
      from: { user_id },
      to: { house: 'penalties' },
      amount: paid,
    })
  if (amount > paid)
    movements.push({
      ...base,
      key: `penalty:${statement_id}:owed`,
      asset: 'coin_debt',
      from: { house: 'penalties' },
      to: { user_id },
      amount: amount - paid,
    })
  await transfer(tx, movements)
  return paid
}

/** After she has earned: her debts are paid, and her only penalty returns when enough was earned in time. */
export async function followEarning(
  tx: Tx,
  { girl_id, units }: { readonly girl_id: UserId; readonly units: bigint },
): Promise<void> {
  const penalties = await lockPenalties(tx, girl_id)
  if (penalties.length === 0) return
  for (const { statement_id, refundable_until: until, earned } of penalties)
    if (until !== null && Temporal.Instant.compare(tx.now, until) < 0)
      await changePenalty(tx, statement_id, { earned: earned + units })
  await returnEarned(tx, girl_id)
  await payDebts(tx, girl_id, units)
}

/** While she has one penalty, it returns when enough was earned in its time. A penalty that was taken back does not count. */
export async function returnEarned(tx: Tx, girl_id: UserId): Promise<void> {
  const enough = fromDecimal('coin', setting(tx.app, 'penalty_refund_coins'))
  const penalty = (await lockPenalties(tx, girl_id)).find(
    ({ refundable_until, earned }) => refundable_until !== null && earned > enough,
  )
  if (penalty && (await countPenalties(tx, girl_id)) === 1) await returnPenalty(tx, penalty)
}

async function payDebts(tx: Tx, girl_id: UserId, earned: bigint): Promise<void> {
  const owing = (await lockPenalties(tx, girl_id)).filter(({ amount, paid }) => paid < amount)
  if (owing.length === 0) return
  const there = await lockAffordable(tx, girl_id, 'coin')
  let left = there < earned ? there : earned
  for (const { statement_id, amount, paid } of owing) {
    const part = left < amount - paid ? left : amount - paid
    if (part === 0n) return
    left -= part
    // The sum that was paid before is in the key: each part is taken once.
    await transfer(tx, settling(statement_id, girl_id, part, `part:${paid}`))
    await changePenalty(tx, statement_id, { paid: paid + part })
  }
  await notifyBalance(tx, girl_id, 'penalty')
}

function settling(id: number, user_id: UserId, amount: bigint, key: string): Movement[] {
  const base = {
    what: 'penalty',
    cause: { kind: 'statement', id },
    from: { user_id },
    to: { house: 'penalties' },
    amount,
  } as const
  return [
    { ...base, key: `penalty:${id}:${key}:paid`, asset: 'coin' },
    { ...base, key: `penalty:${id}:${key}:settled`, asset: 'coin_debt' },
  ]
}

/** Gives back exactly what was paid of a penalty, and ends what is still owed. Repeating it changes nothing. */
export async function returnPenalty(
  tx: Tx,
  { statement_id, girl_id: user_id, amount, paid, returned_at }: PenaltyRow,
): Promise<void> {
  if (returned_at !== null) return
  const base = { what: 'penalty_refund', cause: { kind: 'statement', id: statement_id } }
  const movements: Movement[] = []
  if (paid > 0n)
    movements.push({
      ...base,
      key: `penalty:${statement_id}:returned`,
      asset: 'coin',
      from: { house: 'penalties' },
      to: { user_id },
      amount: paid,
    })
  if (amount > paid)
    movements.push({
      ...base,
      key: `penalty:${statement_id}:forgiven`,
      asset: 'coin_debt',
      from: { user_id },
      to: { house: 'penalties' },
      amount: amount - paid,
    })
  await transfer(tx, movements)
  await changePenalty(tx, statement_id, { returned_at: tx.now })
  await notifyBalance(tx, user_id, 'penalty_refund')
  await addNotice(tx, {
    user_id,
    kind: 'penalty_refund',
    facts: { statement_id },
    key: `penalty:${statement_id}:returned`,
  })
}
