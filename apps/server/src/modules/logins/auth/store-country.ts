import type { App } from '../../../core/app.ts'
import type { RequestContext } from '../../../core/request-context.ts'
import type { Guest, Member } from '../../../core/viewer.ts'
import { isLoopback } from '../../../platform/http/client-address.ts'
import { changeUser } from '../../identity/index.ts'

/**
 * Stores the country and the state of a member's connection, if they have changed. An unknown country is
 * stored too: the former country would show the member girls who hide from the present country.
 */
export async function storeNewCountry(
  app: App,
  viewer: Guest | Member,
  { address, country, region }: RequestContext,
): Promise<void> {
  if (viewer.kind !== 'member') return
  const isMoved = viewer.country !== country
  if (!isMoved && viewer.region === region) return
  // The demo users keep the countries that they were created with: all of their visitors are on this machine.
  if (app.config.demo && isLoopback(address)) return
  await app.transact(async (tx) => {
    await changeUser(tx, viewer.id, { country, region })
    await tx.publish('member_updated', { user_id: viewer.id })
    if (isMoved) await tx.publish('visibility_changed', { user_id: viewer.id })
  })
}
