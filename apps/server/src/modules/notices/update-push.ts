import type { Ack, Input } from '@duet/protocol'
import type { App } from '../../core/app.ts'
import type { Member } from '../../core/viewer.ts'
import { refuse } from '../../lib/refusal.ts'
import * as store from './push-store.ts'

/** Stores where this login's browser takes push messages, or that the browser takes no more messages. */
export async function updatePush(
  app: App,
  viewer: Member,
  { subscription }: Input<'UPDATE_PUSH'>,
): Promise<Ack<'UPDATE_PUSH'>> {
  const target = subscription && { endpoint: subscription.endpoint, ...subscription.keys }
  // The server calls this address: it must be one of a push service.
  if (target && !app.push.isAccepted(target)) refuse('method_unavailable')
  await app.transact((tx) =>
    target
      ? store.storeSubscription(tx, viewer, target)
      : store.removeSubscription(tx, viewer.login_id),
  )
  return {}
}
