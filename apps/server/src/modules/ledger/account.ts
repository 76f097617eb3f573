import { type RawBuilder, sql } from 'kysely'
import type { UserId } from '../../core/ids.ts'
import { assert } from '../../lib/assert.ts'
import type { Asset } from '../../lib/money.ts'

/** The accounts of the installation itself (docs/rules.md). New names go to the end: the position is part of the account id. */
export const HOUSE_ACCOUNTS = [
  'sales',
  'conversion',
  'promotion',
  'referral',
  'gift_margin',
  'withdrawals_pending',
  'payouts',
  'fees',
  'penalties',
  'expired',
  'refunds',
] as const
export type HouseAccount = (typeof HOUSE_ACCOUNTS)[number]

/** The position of an asset is part of the account id. */
const ASSETS = [
  'diamond',
  'message',
  'coin',
  'usd',
  'usdt',
  'diamond_debt',
  'message_debt',
  'coin_debt',
] as const satisfies readonly Asset[]

/** A user's account, whose balance is never negative, or a house account, whose balance can be. */
export type Account = { readonly user_id: UserId } | { readonly house: HouseAccount }

/** A house account has many rows, so that concurrent movements do not wait for one lock. */
const HOUSE_ROWS = 64

/**
 * The id of an account in the database, computed as in the migration. A house account has 64 rows: its id
 * is the id of the first row. The database chooses the row to write.
 */
export function accountId(account: Account, asset: Asset): bigint {
  if ('user_id' in account) {
    assert(
      Number.isSafeInteger(account.user_id) && account.user_id > 0,
      'a user id is a positive integer',
    )
    return BigInt(account.user_id) * 8n + BigInt(ASSETS.indexOf(asset))
  }
  return BigInt(
    -(HOUSE_ACCOUNTS.indexOf(account.house) * 8 + ASSETS.indexOf(asset) + 1) * HOUSE_ROWS,
  )
}

/** The id of a user's account as an expression of SQL, from an expression that is the user's id. */
export function accountColumn(user_id: RawBuilder<unknown>, asset: Asset): RawBuilder<bigint> {
  return sql`${user_id} * 8 + ${sql.lit(ASSETS.indexOf(asset))}`
}
