import { sql } from 'kysely'
import type { Db } from '../../core/tx.ts'
import { assert } from '../../lib/assert.ts'
import { type Asset, toWire, unitsOf } from '../../lib/money.ts'
import { Refusal } from '../../lib/refusal.ts'
import { encode, type Group } from './steps.ts'

/** What a step of a hold came to: the same again for the same key. */
export interface Held {
  readonly hold_id: number
  /** Taken out by this step. */
  readonly posted: bigint
  /** Held on after it; 0n when the hold is closed. */
  readonly held: bigint
}

export type Outcome =
  | { readonly outcome: 'applied' | 'repeated'; readonly holds: readonly Held[] }
  | { readonly outcome: 'no_balance'; readonly missing: bigint; readonly asset: Asset }
  | { readonly outcome: 'key_reused' | 'hold_closed' | 'over_hold' }

interface HeldRow {
  readonly hold_id: number
  readonly posted: string
  readonly held: string
}
/** A group as `ledger_apply` answers it: `answers` of what happened, `missing` and `asset` of no_balance. */
interface Answer {
  readonly g: number
  readonly outcome: Outcome['outcome']
  readonly answers?: readonly (HeldRow | null)[]
  readonly missing?: string
  readonly asset?: Asset
}

const applied: Outcome = Object.freeze({ outcome: 'applied', holds: [] })

/**
 * Applies groups of linked steps in one statement; each group has its own outcome, in the order given.
 * The only way in which a balance changes.
 */
export async function applyGroups(
  db: Db,
  groups: readonly Group[],
  at: Temporal.Instant,
): Promise<Outcome[]> {
  const { rows } = await sql<{
    answers: Answer[]
  }>`select ledger_apply(${encode(groups)}::jsonb, ${at}) as answers`.execute(db)
  const outcomes = groups.map(() => applied)
  for (const answer of rows[0]!.answers) outcomes[answer.g] = outcomeOf(answer)
  return outcomes
}

function outcomeOf({ outcome, answers = [], missing, asset }: Answer): Outcome {
  if (outcome === 'no_balance') return { outcome, missing: BigInt(missing!), asset: asset! }
  if (outcome !== 'applied' && outcome !== 'repeated') return { outcome }
  const holds = answers
    .filter((held) => held !== null)
    .map(({ hold_id, posted, held }) => ({ hold_id, posted: BigInt(posted), held: BigInt(held) }))
  return { outcome, holds }
}

export type Settled = Extract<Outcome, { outcome: 'applied' | 'repeated' }>

/** A "no" of the ledger as the refusal that its caller sees. A closed hold is never an expected "no". */
export function refusalOf(outcome: Outcome): Refusal | undefined {
  if (outcome.outcome === 'no_balance')
    return new Refusal('no_balance', { missing: missingOnWire(outcome.asset, outcome.missing) })
  if (outcome.outcome === 'key_reused') return new Refusal('key_reused')
  return undefined
}

export function settled(outcome: Outcome): Settled {
  const refusal = refusalOf(outcome)
  if (refusal) throw refusal
  assert(
    outcome.outcome === 'applied' || outcome.outcome === 'repeated',
    `a hold is posted or voided once and within what it holds, not ${outcome.outcome}`,
  )
  return outcome
}

/** Whoever adds what is missing must then have enough, so the wire's last decimal is rounded up. */
export function missingOnWire(asset: Asset, missing: bigint): string {
  const finest = asset === 'diamond' ? unitsOf.diamond / 10_000n : 1n
  return toWire(asset, ((missing + finest - 1n) / finest) * finest)
}
