import type { Answer, Query } from '@duet/protocol'
import type { App, Tx } from '../../../core/app.ts'
import type { RequestContext } from '../../../core/request-context.ts'
import type { Viewer } from '../../../core/viewer.ts'
import { enqueueMail, isMailPermitted } from '../../mail/index.ts'
import { belongsToNetwork } from '../../client-signals/index.ts'
import { consumeRecovery, isKnownNetwork } from '../credentials/login-limits.ts'
import { lockUser, userByEmail, type UserRow } from '../../identity/index.ts'
import { isSameEmail } from './former-emails.ts'
import { readFormerEmails, userOfFormerEmail } from './former-emails-store.ts'
import { openLink } from './link-process.ts'
import { linksSince } from './links-store.ts'
import { mayMailRecovery, RECOVERY_MINUTES } from './rules.ts'

/**
 * Mails a recovery link if the address belongs to a member. Everything that depends on the address happens
 * after the answer, so neither the answer nor its time shows who is a member. Nothing is stored about an
 * unknown address. Refuses captcha_required.
 */
export async function forgotPassword(
  app: App,
  viewer: Viewer,
  { email }: Query<'GET forgot_password'>,
  context: RequestContext,
): Promise<Answer<'GET forgot_password'>> {
  // A picture or link on another site asks for no mail.
  if (context.is_cross_site) return {}
  const asked = email.trim()
  await consumeRecovery(app, asked, { viewer, context })
  app.background('mailing a recovery link', mailRecovery(app, asked, context.address))
  return {}
}

async function mailRecovery(app: App, email: string, address: string): Promise<void> {
  await app.transact(async (tx) => {
    const found = (await userByEmail(tx, email))?.id ?? (await userOfFormerEmail(tx, email, tx.now))
    if (found === undefined) return
    // Two requests at once are counted one after the other.
    const row = await lockUser(tx, found)
    if (!row?.role || row.erased_at || !row.email) return
    const to = await addressFor(tx, row, email)
    if (to === undefined || !(await isMailPermitted(tx, to, 'recovery'))) return
    const since = tx.now.subtract({ hours: 1 })
    // Counted for each address: who holds one of them does not use up the mails of the other.
    const of = { user_id: row.id, purpose: 'recovery', email: to } as const
    const mailed = await linksSince(tx, { ...of, since })
    // Memory is empty after a restart, and the user who recovers has often been away for long.
    const isKnown =
      isKnownNetwork(app, row.id, address) || (await belongsToNetwork(tx, row.id, address))
    if (!mayMailRecovery(mailed.length, isKnown)) return
    const link = await openLink(tx, of)
    await enqueueMail(tx, {
      to,
      locale: row.locale,
      template: 'recovery',
      values: { nick: row.nick ?? '', link: `/recovery/${link.key}`, minutes: RECOVERY_MINUTES },
      key: `recovery:${link.link_id}`,
      valid_until: link.valid_until,
    })
  })
}

/**
 * The account's address for this request. If the present address replaced a confirmed address and is not
 * confirmed, it gets no recovery. With a typing error it would be another person's address.
 */
async function addressFor(tx: Tx, row: UserRow, asked: string): Promise<string | undefined> {
  const former = await readFormerEmails(tx, row.id, tx.now)
  if (!isSameEmail(row.email, asked)) return former.find((email) => isSameEmail(email, asked))
  return row.email_confirmed_at === null && former.length > 0 ? undefined : (row.email ?? undefined)
}
