import { sql } from 'kysely'
import type { UserId } from '../../core/ids.ts'
import type { Pool } from '../../core/db.ts'
import type { Tx } from '../../core/app.ts'
import type { Asset } from '../../lib/money.ts'
import type { LedgerOutcome } from './outcomes.ts'
import { encode, type Group } from './steps.ts'

interface HoldRow {
  readonly hold_id: number
  readonly posted: string
  readonly held: string
}

/** One group as `ledger_apply` answers it. Groups that were simply applied are left out. */
interface GroupRow {
  /** The position of the group. */
  readonly g: number
  readonly outcome: LedgerOutcome['outcome']
  /** One entry per step; null for a movement. */
  readonly answers?: readonly (HoldRow | null)[]
  readonly missing?: string
  readonly asset?: Asset
}

const APPLIED: LedgerOutcome = Object.freeze({ outcome: 'applied', holds: [] })

/**
 * Applies groups of linked steps in one statement and returns the outcome of each, in the given order. No balance
 * changes in any other way.
 */
export async function applyGroups(
  db: Tx | Pool,
  groups: readonly Group[],
  at: Temporal.Instant,
): Promise<LedgerOutcome[]> {
  const { rows } = await sql<{
    answers: GroupRow[]
  }>`select ledger_apply(${encode(groups)}::jsonb, ${at}) as answers`.execute(db)
  const outcomes = groups.map(() => APPLIED)
  for (const answer of rows[0]!.answers) outcomes[answer.g] = toOutcome(answer)
  return outcomes
}

function toOutcome({ outcome, answers = [], missing, asset }: GroupRow): LedgerOutcome {
  if (outcome === 'no_balance') return { outcome, missing: BigInt(missing!), asset: asset! }
  if (outcome !== 'applied' && outcome !== 'repeated') return { outcome }
  const holds = answers
    .filter((row) => row !== null)
    .map(({ hold_id, posted, held }) => ({ hold_id, posted: BigInt(posted), held: BigInt(held) }))
  return { outcome, holds }
}

/** Moves the mark of the verified journal towards `upTo`, one bounded transaction; returns where it is. */
export async function advanceMark(
  db: Pool,
  upTo: number,
  transfersMax: number,
  at: Temporal.Instant,
): Promise<number> {
  const { rows } = await sql<{ transfer_id: number }>`
    select ledger_advance_mark(${upTo}, ${transfersMax}, ${at}) as transfer_id`.execute(db)
  return rows[0]!.transfer_id
}

/** The next check reads the journal from its first transfer. */
export async function resetMark(db: Pool): Promise<void> {
  await sql`select ledger_reset_mark()`.execute(db)
}

/** Sets one account to its transfers and open holds; true when it was wrong. Only movements of this account wait. */
export async function correctAccount(db: Pool, account_id: string): Promise<boolean> {
  const { rows } = await sql<{ corrected: boolean }>`
    select ledger_correct(${account_id}::bigint) as corrected`.execute(db)
  return rows[0]!.corrected
}

/** Stores a notice that the user has not confirmed yet, and returns its id. */
export async function addNotice(tx: Tx, user_id: UserId, reason: string): Promise<number> {
  const { id } = await tx
    .insertInto('balance_notices')
    .values({ user_id, reason, told_at: tx.now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Marks the user's own notice as confirmed. An unknown notice or another user's notice changes nothing. */
export async function confirmNotice(tx: Tx, user_id: UserId, id: number): Promise<void> {
  await tx
    .updateTable('balance_notices')
    .set({ got_at: tx.now })
    .where('id', '=', id)
    .where('user_id', '=', user_id)
    .where('got_at', 'is', null)
    .execute()
}
