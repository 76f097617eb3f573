import { intlLocale } from './i18n.ts'

type Kind = 'diamond' | 'coin' | 'message'
type Style = 'ru' | 'locale'

let style: Style = 'locale'

/** `number_style` of the settings: the Russian format in every language, or each reader's own. */
export function setNumberStyle(next: Style): void {
  style = next
}

const digits: Record<Kind, number> = { diamond: 2, coin: 2, message: 0 }
const precise_coin_digits = 8

/** The one way an amount is written. Takes the wire's decimal string as it is and never rounds up what somebody owns. */
export function formatAmount(
  kind: Kind,
  amount: string | number,
  options: { precise?: boolean } = {},
): string {
  const most = kind === 'coin' && options.precise ? precise_coin_digits : digits[kind]
  const format = new Intl.NumberFormat(style === 'ru' ? 'ru' : intlLocale(), {
    maximumFractionDigits: most,
    minimumFractionDigits: kind === 'coin' && !isWhole(amount) ? 2 : 0,
    roundingMode: 'trunc',
  })
  return format.format(amount as Intl.StringNumericLiteral)
}

function isWhole(amount: string | number): boolean {
  return !/\.\d*[1-9]/.test(String(amount))
}
