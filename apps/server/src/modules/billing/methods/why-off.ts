import type { App } from '../../../core/app.ts'
import { setting } from '../../settings/index.ts'

/** For each method of the setting that is not offered: the variables, the setting or the command that it lacks. */
export function whyOff(app: App, offered: readonly string[]): Readonly<Record<string, string>> {
  const off = setting(app, 'payment_methods').filter((method) => !offered.includes(method))
  return Object.fromEntries(off.map((method) => [method, describe(app, method)]))
}

function describe({ gateways, config }: App, method: string): string {
  if (method === 'giftcard') return 'duet giftcards create'
  // Its credentials are there, and its form is not.
  if (gateways.has(method)) return `setting ${method}_form`
  return config.payments.needed[method] ?? 'no such method'
}
