import type { Ack, Input } from '@duet/protocol'
import type { App } from '../../core/app.ts'
import type { Guest, Member } from '../../core/viewer.ts'
import { changeUser } from './store.ts'
import { hasRow } from './viewer.ts'

/** Stores the language. For a guest without a row nothing is stored: the page sends its language with every AUTH. */
export async function changeLocale(
  app: App,
  viewer: Guest | Member,
  { locale }: Input<'CHANGE_LOCALE'>,
): Promise<Ack<'CHANGE_LOCALE'>> {
  if (hasRow(viewer)) {
    await app.transact(async (tx) => {
      await changeUser(tx, viewer.id, { locale })
      await tx.publish('member_updated', { user_id: viewer.id })
    })
  }
  return {}
}
