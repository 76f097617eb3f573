import type { Gateway } from './gateway.ts'
import { createVerotel } from './gateways/verotel.ts'
import type { PaymentsConfig } from './payments-config.ts'

/** The configured methods of payment by their names on the wire. */
export function createGateways({ access }: PaymentsConfig): ReadonlyMap<string, Gateway> {
  const gateways: (Gateway | undefined)[] = [access.verotel && createVerotel(access.verotel)]
  return new Map(
    gateways.flatMap((gateway) => (gateway ? [[gateway.method, gateway] as const] : [])),
  )
}
