import type { App } from '../../../core/app.ts'
import type { RequestContext } from '../../../core/request-context.ts'
import type { Guest, Member } from '../../../core/viewer.ts'
import { isLoopback } from '../../../platform/http/client-address.ts'
import { changeUser } from '../store.ts'

/**
 * Stores the country of a member's connection, if it is another one than before. It is also stored when it is unknown now:
 * the former country would show the member girls who hide from the present one.
 */
export async function storeNewCountry(
  app: App,
  viewer: Guest | Member,
  { address, country }: RequestContext,
): Promise<void> {
  if (viewer.kind !== 'member' || viewer.country === country) return
  // The demo users keep the countries that they were created with: all of their visitors are on this machine.
  if (app.config.demo && isLoopback(address)) return
  await app.transact(async (tx) => {
    await changeUser(tx, viewer.id, { country })
    await tx.publish('member_updated', { user_id: viewer.id })
    await tx.publish('visibility_changed', { user_id: viewer.id })
  })
}
