import type { NoticeKind } from '@duet/protocol'

/** Where else a notice of a kind goes, beside the bell. Push and mail go only as far as the user has them switched on. */
interface Channels {
  readonly push: boolean
  /** `now`: a mail of its own, while the user is offline. `digest`: together with others, once a day. `security`: at once, always. */
  readonly mail: 'none' | 'now' | 'digest' | 'security'
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
  operator: { push: true, mail: 'digest', useful_hours: 24 },
  photo: { push: true, mail: 'digest', useful_hours: 24 },
  verification: { push: true, mail: 'now', useful_hours: 48 },
  security: { push: true, mail: 'security', useful_hours: 48 },
} as const satisfies Partial<Record<NoticeKind, Channels>>

export type SentNoticeKind = keyof typeof CHANNELS

export function channelsOf(kind: string): Channels | undefined {
  return (CHANNELS as Readonly<Record<string, Channels>>)[kind]
}
