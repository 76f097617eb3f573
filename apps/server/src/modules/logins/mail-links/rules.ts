import type { Decision } from '@duet/state-machine/state-machine.ts'
import type { UserId } from '../../../core/ids.ts'

/** A recovery link sets a new password; an e-mail link confirms the address. */
export type LinkPurpose = 'recovery' | 'email'

export const RECOVERY_MINUTES = 10
const CONFIRMATION_HOURS = 48

/** A link that was mailed to a user. Of its key only the hash is stored. */
export interface MailedLink {
  readonly link_id: string
  readonly user_id: UserId
  readonly purpose: LinkPurpose
  readonly email: string
  readonly key_hash: Buffer
  readonly state: 'open' | 'used' | 'replaced' | 'expired'
  readonly opened_at: Temporal.Instant
  /** The end of its validity. */
  readonly wake_at: Temporal.Instant
  readonly closed_at: Temporal.Instant | null
}

/** `is_current`: no newer link of this purpose was mailed to its address, and neither address nor password have changed since. */
export type LinkEvent =
  | { readonly type: 'recovered'; readonly is_current: boolean; readonly password_hash: string }
  | { readonly type: 'confirmed'; readonly is_current: boolean }
  | { readonly type: 'time_came' }

export type LinkCommand =
  | { readonly type: 'set_password'; readonly password_hash: string }
  | { readonly type: 'confirm_email' }
  | { readonly type: 'refuse' }

export function validUntil(purpose: LinkPurpose, now: Temporal.Instant): Temporal.Instant {
  return now.add(
    purpose === 'recovery' ? { minutes: RECOVERY_MINUTES } : { hours: CONFIRMATION_HOURS },
  )
}

/** Mails with a recovery link within an hour, for one address of an account. */
const RECOVERIES_AN_HOUR = 3

/**
 * Whether another recovery link may be mailed. The last mail of an hour is reserved for networks from which
 * the user logged in before. Otherwise requests from elsewhere could use up all mails.
 */
export function mayMailRecovery(mailedWithinHour: number, isKnownNetwork: boolean): boolean {
  return mailedWithinHour < (isKnownNetwork ? RECOVERIES_AN_HOUR : RECOVERIES_AN_HOUR - 1)
}

export function decideLink(
  link: MailedLink,
  event: LinkEvent,
  now: Temporal.Instant,
): Decision<MailedLink, LinkCommand> {
  const isExpired = Temporal.Instant.compare(now, link.wake_at) >= 0
  if (event.type === 'time_came') {
    const isOver = link.state !== 'open' || !isExpired
    return { state: isOver ? link : closed(link, 'expired', now), commands: [] }
  }
  const effect = decideEffect(link, event)
  // An address is confirmed once, however often its link is pressed.
  if (link.state === 'used' && effect.type === 'confirm_email' && event.is_current)
    return { state: link, commands: [] }
  if (link.state !== 'open' || effect.type === 'refuse') return refused(link)
  if (isExpired) return refused(closed(link, 'expired', now))
  if (!event.is_current) return refused(closed(link, 'replaced', now))
  return { state: closed(link, 'used', now), commands: [effect] }
}

/** A key works for its own purpose only. */
function decideEffect(
  { purpose }: MailedLink,
  event: Exclude<LinkEvent, { type: 'time_came' }>,
): LinkCommand {
  if (purpose === 'email' && event.type === 'confirmed') return { type: 'confirm_email' }
  if (purpose === 'recovery' && event.type === 'recovered')
    return { type: 'set_password', password_hash: event.password_hash }
  return { type: 'refuse' }
}

function refused(state: MailedLink): Decision<MailedLink, LinkCommand> {
  return { state, commands: [{ type: 'refuse' }] }
}

function closed(link: MailedLink, state: MailedLink['state'], now: Temporal.Instant): MailedLink {
  return { ...link, state, closed_at: now }
}
