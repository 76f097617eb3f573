import type { UserId } from '../../core/ids.ts'
import { assert } from '../../lib/assert.ts'
import type { Asset } from '../../lib/money.ts'

/** The house's side of every movement (`rules.md` section 1). New names go to the end: the position is part of the number. */
export const houses = [
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
export type House = (typeof houses)[number]

export const assets = [
  'diamond',
  'message',
  'coin',
  'usd',
  'usdt',
] as const satisfies readonly Asset[]

/** Whose money: a user's, who can never owe, or the house's, which can. */
export type Account = { readonly user_id: UserId } | { readonly house: House }

const house_rows = 64

/**
 * The number that names an account in the database (the same arithmetic stands in the migration). A house account's is
 * that of its first row; which of the 64 is written is chosen there.
 */
export function accountId(account: Account, asset: Asset): bigint {
  if ('user_id' in account) {
    assert(
      Number.isSafeInteger(account.user_id) && account.user_id > 0,
      'a user id is a positive integer',
    )
    return BigInt(account.user_id) * 8n + BigInt(assets.indexOf(asset))
  }
  return BigInt(-(houses.indexOf(account.house) * 8 + assets.indexOf(asset) + 1) * house_rows)
}
