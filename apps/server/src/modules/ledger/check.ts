import { sql } from 'kysely'
import type { Db, Tx } from '../../core/tx.ts'

/** One thing that is not as it must be. `expected` and `found` are units; `account_id` is null where an asset as a whole is meant. */
export interface Difference {
  readonly law: string
  readonly account_id: string | null
  readonly asset: string | null
  readonly expected: string
  readonly found: string
}

export interface LedgerCheck {
  readonly ok: boolean
  readonly checked: {
    readonly accounts: number
    readonly transfers: number
    readonly holds: number
  }
  /** The first of each kind, at most 100 of it. */
  readonly differences: readonly Difference[]
}

const differences_of_a_kind_max = 100

/**
 * Compares every balance with its transfers, every held amount with the open holds, every hold with its steps and
 * postings, and every asset with zero, in one snapshot. Reads the whole ledger: for the night, and for the operator.
 */
export async function ledgerCheck(db: Db): Promise<LedgerCheck> {
  const { rows } = await sql<{
    accounts: number
    transfers: number
    holds: number
    differences: Difference[]
  }>`
    select (select count(*) from accounts) as accounts, (select count(*) from transfers) as transfers, (select count(*) from holds) as holds,
      (select coalesce(jsonb_agg(jsonb_build_object('law', law, 'account_id', account_id::text, 'asset', asset, 'expected', expected, 'found', found)), '[]')
        from ledger_differences(${differences_of_a_kind_max})) as differences`.execute(db)
  const { accounts, transfers, holds, differences } = rows[0]!
  return { ok: differences.length === 0, checked: { accounts, transfers, holds }, differences }
}

/** Writes every balance anew from the transfers and open holds; answers how many accounts were wrong. Movements wait meanwhile. */
export async function rebuildBalances(tx: Tx): Promise<number> {
  const { rows } = await sql<{ corrected: number }>`select ledger_rebuild() as corrected`.execute(
    tx,
  )
  return rows[0]!.corrected
}
