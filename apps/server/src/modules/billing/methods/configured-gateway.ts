import type { AppContext } from '../../../core/app.ts'
import type { Gateway, NamedOrder } from '../../../integrations/payments/gateway.ts'
import type { OrderRow } from '../queries.ts'
import { isSetting, setting } from '../../settings/index.ts'

/**
 * The gateway of a method with its present form, also if the method is not offered: its notices still count. Undefined: the
 * method has no credentials, or the form that a setting gives it is missing or wrong.
 */
export function configuredGateway(context: AppContext, method: string): Gateway | undefined {
  const gateway = context.gateways.get(method)
  if (!gateway?.configure) return gateway
  const key = `${method}_form`
  const form = isSetting(key) ? setting(context, key) : 'none'
  return gateway.configure(typeof form === 'string' ? form : 'none') ? gateway : undefined
}

/** The order as far as its gateway needs it. */
export function toNamed({ reference, payment_id, price, currency }: OrderRow): NamedOrder {
  return { reference, payment_id: payment_id ?? undefined, price, currency }
}
