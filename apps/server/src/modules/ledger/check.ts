import { sql } from 'kysely'
import type { Db } from '../../core/db.ts'

/** One violated invariant. `expected` and `found` are units; `account_id` is null for an asset as a whole. */
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
  /** At most 100 of each kind. */
  readonly differences: readonly Difference[]
}

const DIFFERENCES_PER_KIND_MAX = 100

/**
 * Compares every balance with its transfers, every held amount with the open holds, every hold with its steps and
 * postings, and every asset with zero, in one snapshot. Reads the whole ledger, so it runs at night and for the operator.
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
        from ledger_differences(${DIFFERENCES_PER_KIND_MAX})) as differences`.execute(db)
  const { accounts, transfers, holds, differences } = rows[0]!
  return { ok: differences.length === 0, checked: { accounts, transfers, holds }, differences }
}
