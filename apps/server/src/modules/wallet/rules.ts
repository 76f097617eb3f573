import { assert } from '../../lib/assert.ts'

/**
 * What so many seconds come to at an amount a minute. Taken on the whole of a call and never on its pieces: the
 * difference of two totals is what a piece costs, so rounding cannot drift.
 */
export function totalFor(amount_per_minute: bigint, seconds: number): bigint {
  assert(amount_per_minute >= 0n && seconds >= 0, 'nobody is paid for less than nothing')
  return (amount_per_minute * BigInt(seconds)) / 60n
}

/** Divides an amount by weights. The parts add up to the whole: what rounding leaves goes to the first ones. */
export function split(whole: bigint, weights: readonly bigint[]): bigint[] {
  const all = weights.reduce((sum, weight) => sum + weight, 0n)
  assert(
    whole >= 0n && all > 0n && weights.every((weight) => weight >= 0n),
    'an amount is divided by weights of at least 0',
  )
  const parts = weights.map((weight) => (whole * weight) / all)
  let left = whole - parts.reduce((sum, part) => sum + part, 0n)
  return parts.map((part, index) => {
    if (left === 0n || weights[index] === 0n) return part
    left -= 1n
    return part + 1n
  })
}
