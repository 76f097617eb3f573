import type { FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import { inNetworks } from '../../lib/addresses/network-list.ts'

type OfficeConfig = Pick<Config, 'origins' | 'office_origin'>

/** The origins of the back office: OFFICE_ORIGIN alone, or those of the product, which it then shares with the users. */
export function officeOrigins({ origins, office_origin }: OfficeConfig): readonly string[] {
  return office_origin === undefined ? origins : [office_origin]
}

/** A request goes to the office or to the users, by its host; `both` without an origin of the office. */
export function hostPurpose(
  { office_origin }: Pick<Config, 'office_origin'>,
  { headers }: FastifyRequest,
): 'office' | 'users' | 'both' {
  if (office_origin === undefined) return 'both'
  return headers.host === new URL(office_origin).host ? 'office' : 'users'
}

/** Whether a client of this address may reach the office at all. */
export function isOfficeNetwork(
  { office_networks }: Pick<Config, 'office_networks'>,
  address: string,
): boolean {
  return office_networks === undefined || inNetworks(office_networks, address)
}
