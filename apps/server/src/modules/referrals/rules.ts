import type { Role } from '@duet/protocol/kernel/roles.ts'
import { unitsOf } from '../../lib/money.ts'

/** Pure arithmetic of shares, in the smallest units. A rest below one unit stays with the house. */

const PERCENT = 100n

/** Units of coins of the share in a purchase; the price is in cents. */
export function coinsOfPurchase(
  priceUsd: bigint,
  { percent, coin_rate }: { readonly percent: number; readonly coin_rate: number },
): bigint {
  const coins = priceUsd * BigInt(coin_rate) * unitsOf.coin
  return (coins * BigInt(percent)) / (unitsOf.usd * PERCENT)
}

export function percentage(units: bigint, percent: number): bigint {
  return (units * BigInt(percent)) / PERCENT
}

/** The part of a share whose purchase was given back by now. */
export function partTakenBack(
  amount: bigint,
  { price_usd, returned_usd }: { readonly price_usd: bigint; readonly returned_usd: bigint },
): bigint {
  if (returned_usd >= price_usd) return amount
  // Rounded up: the house never pays for what was given back.
  return (amount * returned_usd + price_usd - 1n) / price_usd
}

/** Only guys buy, and only girls earn. */
export function kindOfInvited(what: string): Role {
  return what === 'purchase' ? 'guy' : 'girl'
}
