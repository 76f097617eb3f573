import texts from '@duet/locales/en/office-payments.json'
import { addTexts, t, textOr } from '../../shared/texts.ts'

addTexts(texts)

/** The difference for which a payment or a callback was refused. */
export function whyRefused(why: string | null): string {
  return why === null ? t('office.payment.why.unknown') : textOr(`office.payment.why.${why}`, why)
}

/** A step of a payment with its money: `Paid 0.01 USD`. */
export function stepText(step: {
  kind: string
  amount: string | null
  currency: string | null
}): string {
  const { kind, amount, currency } = step
  return [textOr(`office.payment.step.${kind}`, kind), amount, currency].filter(Boolean).join(' ')
}
