import { intlLocale } from './i18n.ts'
import { createStore } from './observable-store.ts'

type AmountKind = 'diamond' | 'coin' | 'message'
type NumberStyle = 'ru' | 'locale'

const numberStyle = createStore<NumberStyle>('locale')

/** `number_style` of the settings: the Russian format in every language, or the format of each viewer's language. */
export const setNumberStyle = numberStyle.set

const FRACTION_DIGITS: Record<AmountKind, number> = { diamond: 2, coin: 2, message: 0 }
const PRECISE_COIN_DIGITS = 8

/** Formats an amount. Takes the decimal string of the wire unchanged and never rounds a balance up. */
export function formatAmount(
  kind: AmountKind,
  amount: string | number,
  options: { precise?: boolean } = {},
): string {
  const digits = kind === 'coin' && options.precise ? PRECISE_COIN_DIGITS : FRACTION_DIGITS[kind]
  const format = new Intl.NumberFormat(numberStyle.getSnapshot() === 'ru' ? 'ru' : intlLocale(), {
    maximumFractionDigits: digits,
    minimumFractionDigits: kind === 'coin' && !isWhole(amount) ? 2 : 0,
    roundingMode: 'trunc',
  })
  return format.format(amount as Intl.StringNumericLiteral)
}

function isWhole(amount: string | number): boolean {
  return !/\.\d*[1-9]/.test(String(amount))
}
