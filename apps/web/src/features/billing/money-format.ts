import { intlLocale } from '../../shared/i18n.ts'

/** A price of the wire in the user's language: `$39.99`. */
export function formatPrice(price: string, currency: string): string {
  return isolate(
    new Intl.NumberFormat(intlLocale(), { style: 'currency', currency }).format(
      price as Intl.StringNumericLiteral,
    ),
  )
}

/** The price of one minute or message: `$0.89`, and `$0.074` below ten cents. */
export function formatUnitPrice(price: string, currency: string, count: number): string {
  const unit = Number(price) / count
  return isolate(
    new Intl.NumberFormat(intlLocale(), {
      style: 'currency',
      currency,
      ...(unit < 0.1 && { maximumFractionDigits: 3 }),
    }).format(unit),
  )
}

/** Isolated from left to right: in Arabic the sign `US$` would be torn apart otherwise. */
function isolate(price: string): string {
  return `\u2066${price}\u2069`
}
