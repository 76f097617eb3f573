import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Answer, Query } from '@duet/protocol'
import type { App, AppContext } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { Viewer } from '../../core/viewer.ts'
import { keyFor } from '../../lib/derived-key.ts'
import { refuse } from '../../lib/refusal.ts'

/** The address at which a user ends mails about notices without logging in. It never expires: the link of an old mail must work too. */
export function unsubscribePath(app: AppContext, user_id: UserId): string {
  return `/unsubscribe/${user_id}.${signature(app, user_id)}`
}

/** Ends mails about notices; repeating it changes nothing. */
export async function unsubscribe(
  app: App,
  _viewer: Viewer,
  { token }: Query<'POST /unsubscribe/{token}'>,
): Promise<Answer<'POST /unsubscribe/{token}'>> {
  const [, id = '', given = ''] =
    /^([1-9]\d{0,15})\.([\w-]{43})$/.exec(token) ?? refuse('not_found')
  const user_id = Number(id)
  if (!timingSafeEqual(Buffer.from(given), Buffer.from(signature(app, user_id))))
    refuse('not_found')
  await app.transact((tx) => tx.publish('mail_unsubscribed', { user_id }))
  return {}
}

function signature(app: AppContext, user_id: UserId): string {
  const key = keyFor(app.config, 'mail unsubscribe')
  return createHmac('sha256', key).update(String(user_id)).digest('base64url')
}
