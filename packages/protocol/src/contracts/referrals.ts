import { z } from 'zod'
import { endpoint } from '../kernel/contract.ts'
import { listAnswer } from '../kernel/envelope.ts'
import { limits } from '../kernel/limits.ts'
import { Amount, Count, nothing, Percent, RefCode, Time, Url } from '../kernel/primitives.ts'

/** `earned` in the inviter's own currency: coins for a girl, minutes for a guy. */
const Invited = z.object({ invited: Count, registered: Count, bought: Count, earned: Amount })

export const ReferralEntry = z.object({
  at: Time,
  kind: z.enum(['guy', 'girl']),
  nick: z.string().nullable(),
  what: z.enum(['registered', 'purchase', 'premium_earnings', 'verified_earned', 'taken_back']),
  amount: Amount,
  held_until: Time.nullable(),
})
export type ReferralEntry = z.output<typeof ReferralEntry>

export const actions = {}

export const events = {}

export const endpoints = {
  'GET ref_stat': endpoint('GET', 'ref_stat', {
    summary: 'The own links with the users they brought and the earnings.',
    who: 'member',
    data: z.object({
      links: z.object({ guys: Url, girls: Url }),
      ref_code: RefCode,
      guys: Invited,
      girls: Invited,
      rates: z.object({ guest: Percent, model: Percent, guy: Percent }),
      /** A guy gets these minutes once for a verified girl who has earned these coins. */
      bonus: z.object({ minutes: Amount, coins: Amount }),
      hold_days: Count,
      held: Amount,
      history: listAnswer(ReferralEntry),
    }),
    refuses: [],
  }),
  'POST sponsored': endpoint('POST', 'sponsored', {
    summary: 'Records the entry link of a visitor.',
    who: 'any',
    rate: '10/min',
    body: z.object({
      rc: RefCode.optional(),
      /** The users that the link invites. Default: guys. */
      for: z.enum(['guys', 'girls']).optional(),
      utm_source: z.string().max(limits.title_characters).optional(),
      cam: z.string().max(limits.title_characters).optional(),
      signature: z.string().max(limits.token_characters).optional(),
    }),
    data: nothing,
    refuses: [],
  }),
}
