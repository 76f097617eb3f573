import type { Ack, Input, Locale } from '@duet/protocol'
import type { App } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { Guest, Member } from '../../core/viewer.ts'
import { connectionAttributes } from './guests/connection-attributes.ts'
import { changeUser } from './users/store.ts'
import { hasRow } from './viewer.ts'

/** Stores the language; that of a guest without a row stays with the connection until the first stored action. */
export async function changeLocale(
  app: App,
  viewer: Guest | Member,
  { locale }: Input<'CHANGE_LOCALE'>,
  context: RequestContext,
): Promise<Ack<'CHANGE_LOCALE'>> {
  if (!hasRow(viewer)) connectionAttributes(app, viewer.id, context).locale = locale
  else await storeLocale(app, viewer.id, locale)
  return {}
}

/** Stores the language of a user who has a row, and lets the other modules know. */
export async function storeLocale(app: App, user_id: UserId, locale: Locale): Promise<void> {
  await app.transact(async (tx) => {
    await changeUser(tx, user_id, { locale })
    await tx.publish('member_updated', { user_id })
  })
}
