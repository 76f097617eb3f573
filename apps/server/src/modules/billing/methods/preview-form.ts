import type { App } from '../../../core/app.ts'
import type { CommandArguments } from '../../../core/module.ts'
import type { PayableOrder } from '../../../integrations/payments/gateway.ts'
import { CommandRefused } from '../../../platform/operator/commands.ts'
import { isSetting, setting } from '../../settings/index.ts'

/** `duet payments preview`: the text that would be signed for an order of 14.99 USD, before anybody pays by the method. */
export async function previewForm(app: App, { words: [method = ''], options }: CommandArguments) {
  const gateway = app.gateways.get(method)
  const key = `${method}_form`
  if (!gateway?.configure || !gateway.preview || !isSetting(key))
    throw new CommandRefused(`${method} is no configured method that a form describes.`)
  const stored = setting(app, key)
  const form = typeof options.form === 'string' ? options.form : String(stored)
  const mistakes = gateway.mistakes?.(form) ?? []
  if (mistakes.length > 0) return { method, mistakes }
  gateway.configure(form)
  const preview = gateway.preview(sampleOrder(app))
  gateway.configure(String(stored))
  return { method, ...preview }
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
