/**
 * The time that a balance lasts at a price per minute, both decimal strings in one currency. Null without a balance.
 */
export function talkSeconds(balance: string | null, price: string): number | null {
  if (balance === null) return null
  const rate = Number(price)
  // Half a millisecond compensates binary fractions, so that 1.5 diamonds at 1.5 a minute are a whole minute.
  return rate > 0 ? Math.floor((Number(balance) * 60) / rate + 0.0005) : null
}
