import { assert } from './assert.ts'

/**
 * Amounts are bigint in the smallest unit of their asset. Decimals exist only on the wire. A diamond has
 * 60000 units, so that a second at 1 diamond a minute is exactly 1000.
 */
export type Asset =
  | 'diamond'
  | 'message'
  | 'coin'
  | 'usd'
  | 'usdt'
  /** The debts of a user in diamonds, messages and coins. */
  | 'diamond_debt'
  | 'message_debt'
  | 'coin_debt'

export const unitsOf: Readonly<Record<Asset, bigint>> = {
  diamond: 60_000n,
  message: 1n,
  coin: 100_000_000n,
  usd: 100n,
  usdt: 1_000_000n,
  diamond_debt: 60_000n,
  message_debt: 1n,
  coin_debt: 100_000_000n,
}

/** Decimals that the wire shows; diamonds are rounded down to 4 because 1/60000 has no finite decimal. */
const wireDecimals: Readonly<Record<Asset, number>> = {
  diamond: 4,
  message: 0,
  coin: 8,
  usd: 2,
  usdt: 6,
  diamond_debt: 4,
  message_debt: 0,
  coin_debt: 8,
}

/** Units to the wire's decimal string: `"12.5"`, rounded towards minus infinity where it does not end. */
export function toWire(asset: Asset, units: bigint): string {
  const scale = 10n ** BigInt(wireDecimals[asset])
  const scaled = units * scale
  const whole = scaled / unitsOf[asset] - (scaled % unitsOf[asset] < 0n ? 1n : 0n)
  const digits = (whole < 0n ? -whole : whole).toString().padStart(wireDecimals[asset] + 1, '0')
  const cut = digits.length - wireDecimals[asset]
  const fraction = digits.slice(cut).replace(/0+$/, '')
  return `${whole < 0n ? '-' : ''}${digits.slice(0, cut)}${fraction && `.${fraction}`}`
}

/** A decimal string (settings, the operator's shell) to units; throws on what is finer than a unit. */
export function fromDecimal(asset: Asset, decimal: string): bigint {
  const match = /^(-?)(\d{1,15})(?:\.(\d{1,8}))?$/.exec(decimal)
  assert(match, `an amount is a plain decimal, not ${decimal}`)
  const [, sign, whole, fraction = ''] = match
  const scale = 10n ** BigInt(fraction.length)
  const scaled = (BigInt(whole!) * scale + BigInt(fraction || '0')) * unitsOf[asset]
  assert(scaled % scale === 0n, `${decimal} ${asset} is finer than the smallest unit`)
  return (sign ? -1n : 1n) * (scaled / scale)
}
