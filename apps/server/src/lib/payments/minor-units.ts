/** The decimals of a currency: 2 in all but a few. */
const DECIMALS: Readonly<Record<string, number>> = {
  JPY: 0,
  KRW: 0,
  CLP: 0,
  VND: 0,
  KWD: 3,
  BHD: 3,
}

export function currencyDecimals(currency: string): number {
  return DECIMALS[currency] ?? 2
}

/** `499.00` of 49900n RUB: always with all decimals of the currency. */
export function toDecimal(amount: bigint, currency: string): string {
  const decimals = currencyDecimals(currency)
  const digits = amount.toString().padStart(decimals + 1, '0')
  if (decimals === 0) return digits
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/** The smallest units of a plain decimal. Undefined for all other texts, and for an amount finer than the currency. */
export function toMinor(decimal: string, currency: string): bigint | undefined {
  const match = /^(\d{1,12})(?:\.(\d{1,8}))?$/.exec(decimal)
  if (!match) return undefined
  const [, whole, fraction = ''] = match
  const decimals = currencyDecimals(currency)
  if (/[1-9]/.test(fraction.slice(decimals))) return undefined
  return BigInt(whole! + fraction.slice(0, decimals).padEnd(decimals, '0'))
}
