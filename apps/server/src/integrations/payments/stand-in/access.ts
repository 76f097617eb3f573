import type { PaymentsConfig, ProviderAccess, ProviderName } from '../payments-config.ts'

const redirect = (name: string) => ({
  secret_1: `first stand-in secret of ${name}`,
  secret_2: `second stand-in secret of ${name}`,
  merchant_id: '42',
})

/** The made-up credentials with which the stand-in plays each provider. They open nothing else. */
const CREDENTIALS: { readonly [P in ProviderName]?: Omit<ProviderAccess<P>, 'base_url'> } = {
  verotel: { shop_id: '12345', signature_key: 'stand-in signature key of verotel' },
  ccbill: {
    account: '900000',
    subaccount: '0000',
    form_id: 'form',
    salt: 'stand-in salt',
    datalink_username: 'stand-in',
    datalink_password: 'stand-in password of datalink',
  },
  paysafecard: { api_key: 'psc_stand-in-key' },
  cloudpayments: { public_id: 'pk_stand_in', api_secret: 'stand-in secret of cloudpayments' },
  fk: {
    merchant_id: '777',
    secret_1: 'stand-in word one',
    secret_2: 'stand-in word two',
    api_key: 'stand-in key',
  },
  nowpayments: {
    api_key: 'stand-in key',
    ipn_secret: 'stand-in secret of notices',
    email: 'shop@stand-in.example',
    password: 'stand-in password',
  },
  btcpay: {
    store_id: 'store',
    api_key: 'stand-in key',
    webhook_secret: 'stand-in secret of webhooks',
  },
  prime: redirect('prime'),
  contact: redirect('contact'),
  dafinci: redirect('dafinci'),
  expay: redirect('expay'),
  evypay: redirect('evypay'),
  payselect: redirect('payselect'),
}

/** The access to every provider at a stand-in with this origin. */
export function standInAccess(origin: string): PaymentsConfig['access'] {
  return Object.fromEntries(
    Object.entries(CREDENTIALS).map(([provider, credentials]) => [
      provider,
      {
        ...credentials,
        base_url: `${origin}/${provider}`,
        ...(provider === 'cloudpayments' && { widget_url: `${origin}/${provider}` }),
        ...(provider === 'ccbill' && { datalink_url: `${origin}/${provider}` }),
        ...(provider === 'fk' && { api_url: `${origin}/${provider}/v1` }),
      },
    ]),
  )
}
