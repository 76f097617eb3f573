import { SIGNED_REDIRECTS } from '../create-gateways.ts'
import type { PaymentsConfig } from '../payments-config.ts'
import { playCcbill } from './ccbill.ts'
import { playCloudPayments } from './cloud-payments.ts'
import { playBtcPay, playNowPayments } from './crypto.ts'
import { playFreeKassa } from './free-kassa.ts'
import { playPaysafecard } from './paysafecard.ts'
import type { StandInProvider } from './provider.ts'
import { playSignedRedirect } from './signed-redirect.ts'
import { playVerotel } from './verotel.ts'

/** Every provider by its name, which is the first part of its address. */
export function playProviders(
  access: PaymentsConfig['access'],
): ReadonlyMap<string, StandInProvider> {
  const redirects = SIGNED_REDIRECTS.map((name) => {
    const given = access[name]
    return [name, given && playSignedRedirect(name, given)] as const
  })
  const played: readonly (readonly [string, StandInProvider | undefined])[] = [
    ['verotel', access.verotel && playVerotel(access.verotel)],
    ['ccbill', access.ccbill && playCcbill(access.ccbill)],
    ['paysafecard', access.paysafecard && playPaysafecard(access.paysafecard)],
    ['cloudpayments', access.cloudpayments && playCloudPayments(access.cloudpayments)],
    ['fk', access.fk && playFreeKassa(access.fk)],
    ['nowpayments', access.nowpayments && playNowPayments(access.nowpayments)],
    ['btcpay', access.btcpay && playBtcPay(access.btcpay)],
    ...redirects,
  ]
  return new Map(played.flatMap(([name, one]) => (one ? [[name, one] as const] : [])))
}
