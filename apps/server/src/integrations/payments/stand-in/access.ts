import type { PaymentsConfig, ProviderAccess, ProviderName } from '../payments-config.ts'

/** The made-up credentials with which the stand-in plays each provider. They open nothing else. */
const CREDENTIALS: { readonly [P in ProviderName]?: Omit<ProviderAccess<P>, 'base_url'> } = {
  verotel: { shop_id: '12345', signature_key: 'stand-in signature key of verotel' },
}

/** The access to every provider at a stand-in with this origin. */
export function standInAccess(origin: string): PaymentsConfig['access'] {
  return Object.fromEntries(
    Object.entries(CREDENTIALS).map(([provider, credentials]) => [
      provider,
      { ...credentials, base_url: `${origin}/${provider}` },
    ]),
  )
}
