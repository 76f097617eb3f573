import type { PublicSettings } from '@duet/protocol'
import { intlLocale } from './i18n.ts'
import { createStore, useStore } from './observable-store.ts'

type AmountKind = 'diamond' | 'coin' | 'message'
type NumberStyle = PublicSettings['number_style']

/** Formats an amount. Takes the decimal string of the wire unchanged and never rounds a balance up. */
export type AmountFormat = (
  kind: AmountKind,
  amount: string | number,
  options?: { precise?: boolean },
) => string

/** `number_style` of the settings: the Russian format in every language, or the format of each viewer's language. */
export const numberStyle = createStore<NumberStyle>('ru')

const FRACTION_DIGITS: Record<AmountKind, number> = { diamond: 2, coin: 2, message: 0 }
const PRECISE_COIN_DIGITS = 8

const FORMATS: Record<NumberStyle, AmountFormat> = {
  ru: createAmountFormat(() => 'ru'),
  locale: createAmountFormat(() => intlLocale()),
}

export function amountFormat(style: NumberStyle): AmountFormat {
  return FORMATS[style]
}

/** For screens: draws the component again when the settings arrive with another style. */
export function useAmountFormat(): AmountFormat {
  return amountFormat(useStore(numberStyle))
}

/** For code that runs once, such as a notice. */
export const formatAmount: AmountFormat = (...amount) =>
  amountFormat(numberStyle.getSnapshot())(...amount)

function createAmountFormat(localeOf: () => string): AmountFormat {
  return (kind, amount, options = {}) =>
    new Intl.NumberFormat(localeOf(), {
      maximumFractionDigits:
        kind === 'coin' && options.precise ? PRECISE_COIN_DIGITS : FRACTION_DIGITS[kind],
      minimumFractionDigits: kind === 'coin' && !isWhole(amount) ? 2 : 0,
      roundingMode: 'trunc',
    }).format(amount as Intl.StringNumericLiteral)
}

function isWhole(amount: string | number): boolean {
  return !/\.\d*[1-9]/.test(String(amount))
}

/**
 * The time that a balance lasts at a price per minute, both decimal strings in one currency. Null without a balance.
 */
export function talkSeconds(balance: string | null, price: string): number | null {
  if (balance === null) return null
  const rate = Number(price)
  // Half a millisecond compensates binary fractions, so that 1.5 diamonds at 1.5 a minute are a whole minute.
  return rate > 0 ? Math.floor((Number(balance) * 60) / rate + 0.0005) : null
}
