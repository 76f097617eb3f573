import type { App } from '../../../core/app.ts'
import {
  PROVIDERS,
  type ProviderName,
  requiredVariables,
} from '../../../integrations/payments/payments-config.ts'
import { setting } from '../../settings/index.ts'

/** The providers of the methods that have another name. */
const PROVIDERS_OF: Readonly<Record<string, readonly ProviderName[]>> = {
  crypto: ['nowpayments', 'btcpay'],
}

/** For each method of the setting that is not offered: the variables, the setting or the command that it lacks. */
export function whyOff(app: App, offered: readonly string[]): Readonly<Record<string, string>> {
  const off = setting(app, 'payment_methods').filter((method) => !offered.includes(method))
  return Object.fromEntries(off.map((method) => [method, describe(app, method)]))
}

function describe({ gateways }: App, method: string): string {
  if (method === 'giftcard') return 'duet giftcards create'
  // Its credentials are there, and its form is not.
  if (gateways.has(method)) return `setting ${method}_form`
  const providers = PROVIDERS_OF[method] ?? (isProvider(method) ? [method] : [])
  return providers.map((provider) => requiredVariables(provider).join(', ')).join(' or ')
}

function isProvider(method: string): method is ProviderName {
  return Object.hasOwn(PROVIDERS, method)
}
