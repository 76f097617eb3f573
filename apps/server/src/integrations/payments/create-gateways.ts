import type { Gateway } from './gateway.ts'
import { createBtcPay } from './gateways/btcpay.ts'
import { createCcbill } from './gateways/ccbill.ts'
import { createCloudPayments } from './gateways/cloud-payments.ts'
import { createFreeKassa } from './gateways/free-kassa.ts'
import { createNowPayments } from './gateways/nowpayments.ts'
import { createPaysafecard } from './gateways/paysafecard.ts'
import { createSignedRedirect } from './gateways/signed-redirect.ts'
import { createVerotel } from './gateways/verotel.ts'
import type { PaymentsConfig } from './payments-config.ts'

/** The methods that a form in the settings describes. */
export const SIGNED_REDIRECTS = [
  'prime',
  'contact',
  'dafinci',
  'expay',
  'evypay',
  'payselect',
] as const

/** The configured methods of payment by their names on the wire. Of two providers of crypto the hosted one is used. */
export function createGateways({ access }: PaymentsConfig): ReadonlyMap<string, Gateway> {
  const crypto = access.nowpayments
    ? createNowPayments(access.nowpayments)
    : access.btcpay && createBtcPay(access.btcpay)
  const gateways = [
    access.verotel && createVerotel(access.verotel),
    access.ccbill && createCcbill(access.ccbill),
    access.paysafecard && createPaysafecard(access.paysafecard),
    access.cloudpayments && createCloudPayments(access.cloudpayments),
    access.fk && createFreeKassa(access.fk),
    crypto,
    ...SIGNED_REDIRECTS.map((method) => {
      const given = access[method]
      return given && createSignedRedirect(method, given)
    }),
  ]
  return new Map(
    gateways.flatMap((gateway) => (gateway ? [[gateway.method, gateway] as const] : [])),
  )
}
