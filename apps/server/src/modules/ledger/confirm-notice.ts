import type { Ack, Input } from '@duet/protocol'
import type { App } from '../../core/app.ts'
import type { Guest, Member } from '../../core/viewer.ts'
import * as store from './store.ts'

/** Confirms a balance notice, which is then no longer sent again. */
export function confirmNotice(
  app: App,
  viewer: Guest | Member,
  { id }: Input<'NEW_BALANCE_INFO_GOT'>,
): Promise<Ack<'NEW_BALANCE_INFO_GOT'>> {
  return app.transact(async (tx) => {
    await store.confirmNotice(tx, viewer.id, id)
    return {}
  })
}
