import type { App } from '../../../core/app.ts'
import type { CommandArguments } from '../../../core/module.ts'
import type { FormPreview, PayableOrder } from '../../../integrations/payments/gateway.ts'
import { CommandRefused } from '../../../platform/operator/commands.ts'
import { isSetting, setting } from '../../settings/index.ts'

/** `duet payments preview`: the text that would be signed, before anybody pays by the method. */
export async function previewForm(app: App, { words: [method = ''], options }: CommandArguments) {
  const form = typeof options.form === 'string' ? options.form : setForm(app, method)
  const preview = form === undefined ? undefined : previewText(app, method, form)
  if (!preview) throw new CommandRefused(`${method} is no configured method that a form describes.`)
  return { method, ...preview }
}

/** The form that the setting gives the method. Undefined: no form describes the method. */
export function setForm(app: App, method: string): string | undefined {
  const key = `${method}_form`
  return isSetting(key) ? String(setting(app, key)) : undefined
}

/** An order of 14.99 USD by a form that needs not be set. Undefined: no form describes the method, or it has no credentials. */
export function previewText(app: App, method: string, form: string): FormPreview | undefined {
  return app.gateways.get(method)?.preview?.(form, sampleOrder(app))
}

function sampleOrder({ config, clock }: App): PayableOrder {
  const [origin] = config.origins
  return {
    reference: 'D-EXAMPLE-1001',
    buyer_key: 'buyer',
    price: 1499n,
    currency: 'USD',
    description: '15 minutes',
    locale: 'en',
    email: undefined,
    return_url: `${origin}/payment/return`,
    notify_url: `${origin}/api/payment/notify/method`,
    expires_at: clock.now(),
  }
}
