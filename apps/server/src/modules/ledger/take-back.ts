import type { Tx } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import { lockAffordable, owed } from './queries.ts'
import type { Cause, Movement } from './steps.ts'
import { transfer } from './transfer.ts'

const DEBT_OF = { diamond: 'diamond_debt', message: 'message_debt' } as const

interface TakenBack {
  readonly user_id: UserId
  readonly asset: 'diamond' | 'message'
  /** More than 0. */
  readonly amount: bigint
  /** The key of the whole; the same key takes nothing again. */
  readonly key: string
  readonly what: string
  readonly cause: Cause
}

/**
 * Takes back what a purchase gave: from the balance what is there and not held, and the rest becomes a debt. Returns the
 * debt that was added.
 */
export async function takeBack(tx: Tx, { amount, ...of }: TakenBack): Promise<bigint> {
  const there = await lockAffordable(tx, of.user_id, of.asset)
  const taken = there < amount ? there : amount
  const missing = amount - taken
  const movements: Movement[] = []
  const base = { what: of.what, cause: of.cause }
  if (taken > 0n)
    movements.push({
      ...base,
      key: `${of.key}:taken`,
      asset: of.asset,
      from: { user_id: of.user_id },
      to: { house: 'refunds' },
      amount: taken,
    })
  if (missing > 0n)
    movements.push({
      ...base,
      key: `${of.key}:owed`,
      asset: DEBT_OF[of.asset],
      from: { house: 'refunds' },
      to: { user_id: of.user_id },
      amount: missing,
    })
  await transfer(tx, movements)
  return missing
}

/** Pays as much of the user's debt as `most` permits. Returns what was paid. */
export async function payDebt(tx: Tx, { amount: most, ...of }: TakenBack): Promise<bigint> {
  const debt = (await owed(tx, of.user_id))[of.asset]
  const paid = debt < most ? debt : most
  if (paid === 0n) return 0n
  const base = { what: of.what, cause: of.cause, from: { user_id: of.user_id }, amount: paid }
  await transfer(tx, [
    { ...base, key: `${of.key}:paid`, asset: of.asset, to: { house: 'refunds' } },
    { ...base, key: `${of.key}:settled`, asset: DEBT_OF[of.asset], to: { house: 'refunds' } },
  ])
  return paid
}
