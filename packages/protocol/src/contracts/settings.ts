import { z } from 'zod'
import { endpoint } from '../kernel/contract.ts'
import { RequestedLocale } from '../kernel/locale-schemas.ts'
import { Amount, Count, Seconds, Time } from '../kernel/primitives.ts'

/** The settings that a client needs; prices per minute in diamonds, `message` in message credits. */
export const PublicSettings = z.object({
  fast_phrases: z.array(z.string()),
  top_contest_enable: z.boolean(),
  discount_enabled: z.boolean(),
  santa_contest_enable: z.boolean(),
  nsfw_gallery: z.boolean(),
  prices: z.object({ public: Amount, private: Amount, message: Count }),
  paid_after: Seconds,
  free_messages_a_day: Count,
  /** When the next day of free messages begins; it recurs every 24 hours. */
  next_day_at: Time,
  /** The longest message. */
  message_chars: Count,
  /** A girl's message disappears this long after it was read. */
  vanish_after: Seconds,
  /** The days of Premium that each purchase gives. */
  premium_days: Count,
  /** The first penalty of a girl returns when she has earned more than this in time. */
  penalty_refund_coins: Amount,
  /** Before the count of women is known, pages reserve the width of this number. It is never shown. */
  women_online_start: Count,
  number_style: z.enum(['ru', 'locale']),
})
export type PublicSettings = z.output<typeof PublicSettings>

export const actions = {}

export const events = {}

export const endpoints = {
  'GET getSettings': endpoint('GET', 'getSettings', {
    summary:
      'The settings that clients show: prices, quotas, fast phrases in the language asked for.',
    who: 'any',
    banned: true,
    query: z.object({ locale: RequestedLocale.optional() }),
    data: PublicSettings,
    refuses: [],
  }),
}
