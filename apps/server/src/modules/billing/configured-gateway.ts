import type { AppContext } from '../../core/app.ts'
import type { Gateway } from '../../integrations/payments/gateway.ts'
import { isSetting, setting } from '../settings/index.ts'

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
