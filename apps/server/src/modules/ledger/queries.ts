import { type RawBuilder, sql } from 'kysely'
import { perApp } from '../../core/app-state.ts'
import type { UserId } from '../../core/ids.ts'
import type { Tx } from '../../core/app.ts'
import type { Db } from '../../core/db.ts'
import type { Asset } from '../../lib/money.ts'
import { batchedRead, inKeys } from '../../platform/database/statements/batched-read.ts'
import { accountColumn, accountId } from './account.ts'
import { usageSource } from './usage.ts'

export interface AccountRow {
  readonly user_id: UserId
  readonly role: string | null
  readonly asset: Asset | null
  readonly balance: bigint
  readonly held: bigint
  /** The running process of the user, and its posted amount. Null without a process. */
  readonly process_id: number | null
  readonly posted: bigint | null
}

const NO_USAGE = sql`select null::bigint as user_id, null::bigint as process_id, null::bigint as posted where false`

export const ASSETS_OF_USERS = ['diamond', 'coin', 'message'] as const

/** The accounts of a user, with their role: one row per asset, where `asset` is null if the account has no row yet. */
export const accountsOf = batchedRead<UserId, AccountRow[]>((db, ids) => readAccounts(db, ids))

/** The same, and in the same statement what is posted of their running processes. */
export const accountsWithUsage = perApp(
  'ledger: balances with usage',
  'reads that are waiting for their statement; nothing is lost',
  (app) =>
    batchedRead<UserId, AccountRow[]>((db, ids) =>
      readAccounts(db, ids, usageSource.get(app)?.postedOf(ids)),
    ),
)

async function readAccounts(
  db: Db,
  ids: readonly UserId[],
  posted: RawBuilder<unknown> = NO_USAGE,
): Promise<Map<UserId, AccountRow[]>> {
  const owners = ids.flatMap((user_id) => ASSETS_OF_USERS.map(() => user_id))
  const accountIds = ids.flatMap((user_id) =>
    ASSETS_OF_USERS.map((asset) => accountId({ user_id }, asset)),
  )
  const { rows } = await sql<AccountRow>`
    select wanted.user_id, u.role, a.asset, coalesce(a.balance, 0) as balance, coalesce(a.held, 0) as held,
      used.process_id, used.posted
    from unnest(${owners}::bigint[], ${accountIds}::bigint[]) as wanted (user_id, account_id)
    left join users u on u.id = wanted.user_id
    left join accounts a on a.id = wanted.account_id
    left join (${posted}) used on used.user_id = wanted.user_id`.execute(db)
  return Map.groupBy(rows, (row) => row.user_id)
}

/** The units of an asset that a user can spend now: the balance without what is held. */
export async function affordable(db: Db, user_id: UserId, asset: Asset): Promise<bigint> {
  return (await readAffordable(db, [user_id], asset)).get(user_id) ?? 0n
}

/** The same for many users. A user without an account is left out. */
export async function readAffordable(
  db: Db,
  ids: readonly UserId[],
  asset: Asset,
): Promise<ReadonlyMap<UserId, bigint>> {
  if (ids.length === 0) return new Map()
  const accounts = await db
    .selectFrom('accounts')
    .select(['user_id', 'balance', 'held'])
    .where('id', '=', inKeys(ids.map((user_id) => accountId({ user_id }, asset))))
    .execute()
  return new Map(accounts.map(({ user_id, balance, held }) => [user_id!, balance - held]))
}

/** The same, and until the end of the transaction no other transaction can spend them. */
export async function lockAffordable(tx: Tx, user_id: UserId, asset: Asset): Promise<bigint> {
  const account = await tx
    .selectFrom('accounts')
    .select(['balance', 'held'])
    .where('id', '=', accountId({ user_id }, asset))
    .forUpdate()
    .executeTakeFirst()
  return account ? account.balance - account.held : 0n
}

export interface Debt {
  readonly diamond: bigint
  readonly message: bigint
}
const NO_DEBT: Debt = { diamond: 0n, message: 0n }

const debts = batchedRead<UserId, Debt>(async (db, ids) => {
  const accounts = ids.flatMap((user_id) => [
    accountId({ user_id }, 'diamond_debt'),
    accountId({ user_id }, 'message_debt'),
  ])
  const rows = await db
    .selectFrom('accounts')
    .select(['user_id', 'asset', 'balance'])
    .where('id', '=', inKeys(accounts))
    .where('balance', '>', 0n)
    .execute()
  const found = new Map<UserId, Debt>()
  for (const { user_id, asset, balance } of rows) {
    const of = asset === 'diamond_debt' ? 'diamond' : 'message'
    found.set(user_id!, { ...NO_DEBT, ...found.get(user_id!), [of]: balance })
  }
  return found
})

/** The debt of a user after purchases that were given back. */
export async function owed(db: Db, user_id: UserId): Promise<Debt> {
  return (await debts(db, user_id)) ?? NO_DEBT
}

/**
 * The same as a column of another statement, for the user of each row. If the alias is no column of
 * amounts, the value is read as a number.
 */
export function affordableColumn(user_id: RawBuilder<unknown>, asset: Asset): RawBuilder<bigint> {
  return sql`coalesce((select balance - held from accounts where id = ${accountColumn(user_id, asset)}), 0)`
}

/** Answered in one query for all users who connect at the same time; most of them have no notice. */
export const hasUnconfirmedNotices = batchedRead<UserId, true>(async (db, ids) => {
  const rows = await db
    .selectFrom('balance_notices')
    .select('user_id')
    .distinct()
    .where('user_id', '=', inKeys(ids))
    .where('got_at', 'is', null)
    .execute()
  return new Map(rows.map(({ user_id }) => [user_id, true]))
})

/** The newest `limit` notices that the user has not confirmed, the oldest first. */
export async function unconfirmedNotices(
  db: Db,
  user_id: UserId,
  limit: number,
): Promise<{ id: number; reason: string }[]> {
  const rows = await db
    .selectFrom('balance_notices')
    .select(['id', 'reason'])
    .where('user_id', '=', user_id)
    .where('got_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.toReversed()
}
