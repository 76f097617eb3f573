import type { Answer, Body } from '@duet/protocol'
import { refuse } from '../../../lib/refusal.ts'
import type { App, Tx } from '../../../core/app.ts'
import type { Member, Viewer } from '../../../core/viewer.ts'
import { enqueueMail, isMailPermitted } from '../../mail/index.ts'
import { userById, type UserRow } from '../../identity/index.ts'
import { readFormerEmails, FORMER_EMAIL_DAYS } from './former-emails-store.ts'
import { applyLink, linkOfKey, openLink } from './link-process.ts'

/** Confirms an address by the key of its mail. */
export async function confirmEmail(
  app: App,
  _viewer: Viewer,
  { key }: Body<'POST auth/email/confirm'>,
): Promise<Answer<'POST auth/email/confirm'>> {
  await applyLink(app, await linkOfKey(app, key, 'email'), { type: 'confirmed' })
  return {}
}

/** Mails the confirmation again. Then the former link is invalid. A confirmed address gets no mail. */
export async function resendConfirmation(
  app: App,
  viewer: Member,
): Promise<Answer<'POST auth/email/resend'>> {
  await app.transact(async (tx) => {
    const row = (await userById(tx, viewer.id)) ?? refuse('session_invalid')
    if (row.email_confirmed_at === null) await mailConfirmation(tx, row)
  })
  return {}
}

/** Mails the link that confirms the present address of a member. */
export async function mailConfirmation(
  tx: Tx,
  { id, email, nick, locale }: Pick<UserRow, 'id' | 'email' | 'nick' | 'locale'>,
): Promise<void> {
  // A link replaces the former link: without its mail neither link would work.
  if (email === null || !(await isMailPermitted(tx, email, 'confirm_email'))) return
  const link = await openLink(tx, { user_id: id, purpose: 'email', email })
  await enqueueMail(tx, {
    to: email,
    locale,
    template: 'confirm_email',
    values: { nick: nick ?? '', link: `/confirm/${link.key}` },
    key: `confirm:${link.link_id}`,
    valid_until: link.valid_until,
  })
}

/**
 * Notifies a confirmed former address that the account has another address, and whether the former address
 * can take the account back. The mail does not name the new address.
 */
export async function tellFormerAddress(
  tx: Tx,
  { id, email, email_confirmed_at, nick, locale }: UserRow,
): Promise<void> {
  if (email === null || email_confirmed_at === null) return
  const isKept = (await readFormerEmails(tx, id, tx.now)).includes(email)
  await enqueueMail(tx, {
    to: email,
    locale,
    template: 'email_changed',
    values: { nick: nick ?? '', days: isKept ? FORMER_EMAIL_DAYS : 0 },
    key: `email changed:${id}:${tx.now.epochMilliseconds}`,
  })
}
