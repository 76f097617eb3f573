import type { NoticeKind } from '@duet/protocol'

/** The values of a notice's sentence. */
export type NoticeFacts = Readonly<Record<string, string | number | boolean>>

/**
 * `now`: a separate mail while the user is offline. `digest`: with other notices, once a day. Unswitched
 * mails are sent at once, also if the user is online or wants no news: account changes, decisions against
 * the user, money.
 */
type MailChannel = 'none' | 'now' | 'digest' | UnswitchedMail
export type UnswitchedMail = 'security' | 'warning' | 'receipt'

/** Where else a notice of a kind goes, beside the bell. Push and mail go only as far as the user has them switched on. */
interface Channels {
  readonly push: boolean
  readonly mail: MailChannel
  /** After this time push and mail are not sent any more. */
  readonly useful_hours: number
}

/** Every kind that something sends. Each has a sentence `bell.<kind>` in `packages/locales`. */
export const CHANNELS = {
  wanted_girl_online: { push: true, mail: 'now', useful_hours: 1 },
  premium_guest_online: { push: true, mail: 'now', useful_hours: 1 },
  // The message of a like or a call is pushed and mailed by the messenger.
  liked: { push: false, mail: 'none', useful_hours: 24 },
  missed_call: { push: false, mail: 'none', useful_hours: 24 },
  kept: { push: false, mail: 'digest', useful_hours: 24 },
  premium_ended: { push: true, mail: 'digest', useful_hours: 24 },
  payment: { push: false, mail: 'receipt', useful_hours: 48 },
  referral: { push: true, mail: 'digest', useful_hours: 48 },
  operator: { push: true, mail: 'receipt', useful_hours: 48 },
  photo: { push: true, mail: 'digest', useful_hours: 48 },
  verification: { push: true, mail: 'now', useful_hours: 48 },
  date: { push: true, mail: 'now', useful_hours: 12 },
  complaint: { push: false, mail: 'none', useful_hours: 48 },
  statement: { push: true, mail: 'warning', useful_hours: 48 },
  penalty: { push: true, mail: 'warning', useful_hours: 48 },
  penalty_refund: { push: true, mail: 'digest', useful_hours: 48 },
  appeal: { push: true, mail: 'warning', useful_hours: 48 },
  security: { push: true, mail: 'security', useful_hours: 48 },
} as const satisfies Partial<Record<NoticeKind, Channels>>

export type SentNoticeKind = keyof typeof CHANNELS

export function findChannels(kind: string): Channels | undefined {
  return (CHANNELS as Readonly<Record<string, Channels>>)[kind]
}

/** How a notice is mailed: a decision of staff against the user, or its announcement, is a warning. */
export function getMail(kind: string, facts: NoticeFacts): MailChannel {
  // A purchase that is checked or was given back has no receipt.
  if (kind === 'payment' && facts['what'] !== undefined) return 'digest'
  if (kind === 'photo' && facts['verdict'] !== 'ready') return 'warning'
  if (kind === 'verification' && facts['state'] !== 'verified') return 'warning'
  return findChannels(kind)?.mail ?? 'none'
}

export function isUnswitched(mail: MailChannel): mail is UnswitchedMail {
  return mail === 'security' || mail === 'warning' || mail === 'receipt'
}
