import type { Answer, Query } from '@duet/protocol'
import type { App } from '../../../core/app.ts'
import type { RequestContext } from '../../../core/request-context.ts'
import type { Viewer } from '../../../core/viewer.ts'
import { enqueueMail } from '../../mail/index.ts'
import { isNetworkOf } from '../fingerprints/links.ts'
import { isKnownNetwork } from '../login/login-limits.ts'
import { lockUser, userByEmail } from '../queries.ts'
import { openLink } from './link-process.ts'
import { linksSince } from './links-store.ts'
import { mayMailRecovery, RECOVERY_MINUTES } from './rules.ts'

/**
 * Mails a recovery link where the address belongs to a member. Everything that depends on the address happens after the
 * answer, so neither the answer nor its time shows who is a member; nothing is stored about an unknown address.
 */
export async function forgotPassword(
  app: App,
  _viewer: Viewer,
  { email }: Query<'GET forgot_password'>,
  { address, is_cross_site }: RequestContext,
): Promise<Answer<'GET forgot_password'>> {
  // A picture or link on another site asks for no mail.
  if (!is_cross_site)
    app.background('mailing a recovery link', mailRecovery(app, email.trim(), address))
  return {}
}

async function mailRecovery(app: App, email: string, address: string): Promise<void> {
  await app.transact(async (tx) => {
    const found = await userByEmail(tx, email)
    if (!found) return
    // Two requests at once are counted one after the other.
    const row = await lockUser(tx, found.id)
    if (!row?.role || row.erased_at || !row.email) return
    const since = tx.now.subtract({ hours: 1 })
    const mailed = await linksSince(tx, { user_id: row.id, purpose: 'recovery', since })
    // Memory is empty after a restart, and the user who recovers has often been away for long.
    const isKnown =
      isKnownNetwork(app, row.id, address) ||
      (await isNetworkOf(tx, row.id, address))
    if (!mayMailRecovery(mailed.length, isKnown)) return
    const link = await openLink(tx, { user_id: row.id, purpose: 'recovery', email: row.email })
    await enqueueMail(tx, {
      to: row.email,
      locale: row.locale,
      template: 'recovery',
      values: { nick: row.nick ?? '', link: `/recovery/${link.key}`, minutes: RECOVERY_MINUTES },
      key: `recovery:${link.link_id}`,
      valid_until: link.valid_until,
    })
  })
}
