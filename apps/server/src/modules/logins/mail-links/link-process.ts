import type { App, Tx } from '../../../core/app.ts'
import { perApp } from '../../../core/app-state.ts'
import type { UserId } from '../../../core/ids.ts'
import { hashToken, newToken, newUuid } from '../../../lib/ids.ts'
import { refuse } from '../../../lib/refusal.ts'
import { createProcessRuntime } from '../../../platform/process/process-runtime.ts'
import type { ProcessDraft, ProcessType } from '../../../platform/process/process.ts'
import { removeUserFactors } from '../second-factor/totp.ts'
import { endLoginsAndSockets } from '../devices/end-logins.ts'
import {
  notifyUserInfo,
  lockUser,
  userById,
  type UserRow,
  changeUser,
} from '../../identity/index.ts'
import { confirmedEmail, forgetFormerEmails, isSameEmail, isTrustedEmail } from './former-emails.ts'
import { FORMER_EMAIL_DAYS, readFormerEmails, removeFormerEmails } from './former-emails-store.ts'
import { isReplaced, linkByKeyHash, linkTable } from './links-store.ts'
import {
  decideLink,
  validUntil,
  type LinkCommand,
  type LinkEvent,
  type LinkPurpose,
  type MailedLink,
} from './rules.ts'

/** Mailed links as processes: they expire by themselves, and their key works once. */
const linkType: ProcessType<string, MailedLink, LinkEvent, LinkCommand> = {
  name: 'mailed link',
  table: linkTable,
  idOf: ({ link_id }) => link_id,
  isOver: ({ state }) => state !== 'open',
  wakeAt: ({ wake_at }) => wake_at,
  wake_event: { type: 'time_came' },
  recovery_event: { type: 'time_came' },
  decide: (_app, link, event, now) => decideLink(link, event, now),
  commands: {
    set_password: { store: setPassword },
    confirm_email: { store: confirmEmail },
    refuse: {},
  },
}

export const mailedLinks = perApp(
  'logins: mailed links',
  'open links and their expiry; recovered from rows',
  (app) => createProcessRuntime(app, linkType),
)

/** Opens a link in the transaction of its cause. Returns the key, which only the mail holds. */
export async function openLink(
  tx: Tx,
  { user_id, purpose, email }: { user_id: UserId; purpose: LinkPurpose; email: string },
): Promise<{ link_id: string; key: string; valid_until: Temporal.Instant }> {
  const key = newToken()
  const link: MailedLink = {
    link_id: newUuid(),
    user_id,
    purpose,
    email,
    key_hash: hashToken(key),
    state: 'open',
    opened_at: tx.now,
    wake_at: validUntil(purpose, tx.now),
    closed_at: null,
  }
  await mailedLinks(tx.app).openIn(tx, { state: link, commands: [] })
  return { link_id: link.link_id, key, valid_until: link.wake_at }
}

/** The open or used link of a key. Refuses recovery_invalid. */
export async function linkOfKey(app: App, key: string, purpose: LinkPurpose): Promise<MailedLink> {
  const link = await linkByKeyHash(app.db, hashToken(key))
  if (link?.purpose !== purpose) refuse('recovery_invalid')
  return link
}

type Use = { type: 'recovered'; password_hash: string } | { type: 'confirmed' }

/** Applies the press of a link. Refuses recovery_invalid, or draining while another server process owns the link. */
export async function applyLink(app: App, { link_id }: MailedLink, use: Use): Promise<void> {
  const runtime = mailedLinks(app)
  const dispatch = () =>
    runtime.dispatch(link_id, async (tx, link) => ({
      ...use,
      is_current: await isCurrent(tx, link),
    }))
  // The owner may have died a moment ago: then the link is claimed here.
  const commands =
    (await dispatch()) ?? ((await runtime.claim(link_id)) ? await dispatch() : undefined)
  if (commands === undefined) refuse('draining', { retry_after: CLAIM_SECONDS })
  if (commands.some(({ type }) => type === 'refuse')) refuse('recovery_invalid')
}

const CLAIM_SECONDS = 5

/** Whether nothing has happened since the mail that makes its link worthless. */
async function isCurrent(tx: Tx, link: MailedLink): Promise<boolean> {
  // Two links of one account at once: the second sees the address that the first has set.
  const row = await lockUser(tx, link.user_id)
  if (!row?.role || row.erased_at || (await isReplaced(tx, link))) return false
  if (isSameEmail(row.email, link.email)) return !isOutdated(row, link)
  // A recovery may also come from a former address of the account. A password that was set after the mail
  // does not end the link, because the person who changed the address may have set that password.
  if (link.purpose !== 'recovery') return false
  const former = await readFormerEmails(tx, row.id, tx.now)
  return former.some((email) => isSameEmail(email, link.email))
}

function isOutdated({ password_changed_at }: UserRow, { purpose, opened_at }: MailedLink): boolean {
  return (
    purpose === 'recovery' &&
    password_changed_at !== null &&
    Temporal.Instant.compare(password_changed_at, opened_at) > 0
  )
}

/** The mail arrived, so the address is confirmed too. A former address becomes the present address again. */
async function setPassword(
  tx: Tx,
  { state: { user_id, email } }: ProcessDraft<MailedLink>,
  { password_hash }: { password_hash: string },
): Promise<void> {
  const row = (await userById(tx, user_id))!
  const isFormer = !isSameEmail(row.email, email)
  if (isFormer) await removeFormerEmails(tx, user_id)
  else await forgetFormerEmails(tx, row)
  const address = isFormer
    ? { email, email_confirmed_at: tx.now, email_trusted_from: null }
    : confirmedEmail(row, tx.now)
  await changeUser(tx, user_id, { ...address, password_hash, password_changed_at: tx.now })
  if (isTrustedEmail({ ...row, ...address }, tx.now))
    await removeUserFactors(tx, user_id, addedByOthers(row, isFormer, tx.now))
  await endLoginsAndSockets(tx, user_id, 'all')
  await tx.publish('member_updated', { user_id })
  await tx.publish('security_changed', { user_id, what: 'recovery' })
}

/**
 * The factors that another person may have added. If the address was not confirmed, the server
 * does not know who added the factors. A former address was replaced at most 7 days ago, by a person who may have added a factor
 * during the 7 days before.
 */
function addedByOthers(
  row: UserRow,
  isFormer: boolean,
  now: Temporal.Instant,
): { since: Temporal.Instant } | 'all' {
  if (!isFormer && row.email_confirmed_at === null) return 'all'
  return { since: now.subtract({ hours: FORMER_EMAIL_DAYS * 24 * (isFormer ? 2 : 1) }) }
}

async function confirmEmail(
  tx: Tx,
  { state: { user_id } }: ProcessDraft<MailedLink>,
): Promise<void> {
  const row = (await userById(tx, user_id))!
  await changeUser(tx, user_id, confirmedEmail(row, tx.now))
  await tx.publish('member_updated', { user_id })
  await notifyUserInfo(tx, user_id)
}
