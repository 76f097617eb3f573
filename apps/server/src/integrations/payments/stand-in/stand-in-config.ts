import { count, origin, type Values } from '../../../lib/configuration/variables.ts'
import type { PaymentsConfig } from '../payments-config.ts'
import { standInAccess } from './access.ts'

const PORT_MAX = 65_535

export const STAND_IN_VARIABLES = {
  DEMO_PAYMENTS_PORT: count('a port from 0 to 65535', 0, PORT_MAX).describe(
    'Only the demo installation: the port of the program that plays the providers of payments. Default: the port after PORT. 0 is off.',
  ),
  DEMO_PAYMENTS_ORIGIN: origin.describe(
    'Only the demo installation: the origin under which browsers reach that program. Default: the host of PUBLIC_ORIGIN with DEMO_PAYMENTS_PORT.',
  ),
}

export interface StandInConfig {
  readonly port: number
  readonly origin: string
  readonly access: PaymentsConfig['access']
}

/** The stand-in of the demo installation. Undefined: off. */
export function readStandIn(
  values: Values<typeof STAND_IN_VARIABLES>,
  installation: { readonly port: number; readonly origin: string },
): StandInConfig | undefined {
  const { DEMO_PAYMENTS_PORT, DEMO_PAYMENTS_ORIGIN } = values
  const port = DEMO_PAYMENTS_PORT ?? (installation.port === 0 ? 0 : installation.port + 1)
  if (port === 0 || port > PORT_MAX) return undefined
  const { protocol, hostname } = new URL(installation.origin)
  const browsers = DEMO_PAYMENTS_ORIGIN ?? `${protocol}//${hostname}:${port}`
  return { port, origin: browsers, access: standInAccess(browsers) }
}
