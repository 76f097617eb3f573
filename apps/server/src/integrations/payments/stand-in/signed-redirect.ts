import { createHash } from 'node:crypto'
import { toDecimal, toMinor } from '../../../lib/payments/minor-units.ts'
import { isSameText } from '../../../lib/payments/same-text.ts'
import {
  type RedirectForm,
  readForm,
  signNotice,
  type SignedRedirectAccess,
} from '../gateways/signed-redirect.ts'
import { readParameters } from '../provider-calls.ts'
import { text } from './answers.ts'
import type { StandInProvider } from './provider.ts'
import { SAMPLE_FORM } from '../../../lib/payments/sample-form.ts'

/** A provider as the sample form describes it. */
export function playSignedRedirect(method: string, access: SignedRedirectAccess): StandInProvider {
  const form = readForm(SAMPLE_FORM) as RedirectForm
  return {
    method,
    handle({ path, query, method: sent, body }, payments) {
      const given = readParameters(sent === 'POST' ? body : query) ?? {}
      const { shop = '', order = '', sum = '', currency = '', back = '', notify = '' } = given
      if (path !== '/pay') return undefined
      const signed = [shop, order, sum, currency, access.secret_1].join(':')
      if (!isSameText(given.sign, createHash('sha256').update(signed).digest('hex')))
        return text(400, 'The signature is wrong')
      const { page_url } = payments.open({
        reference: order,
        amount: toMinor(sum, currency) ?? 0n,
        currency,
        description: given.description ?? '',
        notify_url: notify,
        success_url: back,
        failure_url: back,
        passed: {},
      })
      return { redirect: page_url }
    },
    notices(payment, step) {
      const { amount = payment.amount, currency = payment.currency } = step
      const fields: Record<string, string> = {
        order: step.reference ?? payment.reference,
        payment: payment.id,
        sum: toDecimal(amount, payment.currency),
        currency,
        status: step.type,
      }
      const sent = { ...fields, [form.notice.signature.field]: signNotice(form, fields, access) }
      return [
        {
          method: 'POST',
          url: payment.notify_url,
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams(sent).toString(),
        },
      ]
    },
  }
}
