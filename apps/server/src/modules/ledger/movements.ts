import { sql } from 'kysely'
import type { Db } from '../../core/db.ts'
import type { UserId } from '../../core/ids.ts'
import type { Asset } from '../../lib/money.ts'
import { accountId } from './account.ts'
import { ASSETS_OF_USERS } from './queries.ts'

export interface MovementRow {
  readonly id: number
  readonly at: Temporal.Instant
  readonly asset: Asset
  readonly amount: bigint
  readonly direction: 'in' | 'out'
  /** Of the account, behind this movement. */
  readonly balance: bigint
  readonly what: string
  readonly cause: string
  readonly cause_id: number | null
  readonly note: string | null
}

export interface MovementFilter {
  readonly asset?: (typeof ASSETS_OF_USERS)[number] | undefined
  readonly purpose?: string | undefined
  readonly from?: Temporal.Instant | undefined
  readonly to?: Temporal.Instant | undefined
}

/**
 * The movements of the accounts of a user, the newest first. Each account and side is one scan of an index, from the newest
 * movement on: the balance behind a movement is the present balance without all later movements. So only movements that no
 * filter leaves out can be limited before they are added up.
 */
export async function movementsOfUser(
  db: Db,
  user_id: UserId,
  { asset, purpose, from, to }: MovementFilter,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<MovementRow[]> {
  const isWhole = purpose === undefined && to === undefined
  const read = isWhole ? sql`limit ${offset + limit}` : sql``
  const side = (column: string, direction: string, account: bigint) => sql`
    (select id, at, asset, amount, ${direction}::text as direction, what, cause, cause_id, note, ${account}::bigint as account_id
    from transfers
    where ${sql.ref(column)} > 0 and ${sql.ref(column)} = ${account}::bigint
      and (${from ?? null}::timestamptz is null or at >= ${from ?? null}) order by id desc ${read})`
  const branches = (asset ? [asset] : ASSETS_OF_USERS)
    .map((one) => accountId({ user_id }, one))
    .flatMap((account) => [side('debit_id', 'out', account), side('credit_id', 'in', account)])
  const { rows } = await sql<MovementRow>`
    with moved as (${sql.join(branches, sql` union all `)}),
    counted as (
      select moved.*, (accounts.balance - coalesce(sum(case direction when 'in' then amount else - amount end) over (
        partition by account_id order by moved.id desc rows between unbounded preceding and 1 preceding), 0))::bigint as balance
      from moved join accounts on accounts.id = moved.account_id)
    select id, at, asset, amount, direction, balance, what, cause, cause_id, note from counted
    where (${to ?? null}::timestamptz is null or at < ${to ?? null}) and (${purpose ?? null}::text is null or what = ${purpose ?? null})
    order by id desc offset ${offset} limit ${limit}`.execute(db)
  return rows
}
