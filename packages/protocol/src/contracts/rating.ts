import { z } from 'zod'
import { endpoint } from '../kernel/contract.ts'
import { CamscoreStatus } from '../kernel/entities.ts'
import { Amount, Count, Id, Seconds, Time } from '../kernel/primitives.ts'

/** A part of the score: its value now and its maximum. */
export const CamscorePart = z.object({
  part: z.enum(['length', 'minute_share', 'likes', 'presence']),
  points: z.number(),
  points_max: z.number(),
  value: z.number(),
})
export type CamscorePart = z.output<typeof CamscorePart>

export const Camscore = z.object({
  status: CamscoreStatus,
  score: z.number().min(0).max(100).optional(),
  parts: z.array(CamscorePart),
  trial_ends_at: Time.optional(),
  updated_at: Time.nullable(),
  history: z.array(z.object({ at: Time, status: CamscoreStatus, score: z.number().nullable() })),
})
export type Camscore = z.output<typeof Camscore>

export const Studio = z.object({
  online_seconds_today: Seconds,
  earned_today: Amount,
  camscore: Camscore,
  top: z.object({
    until: Time.optional(),
    ways: z.array(
      z.object({
        way: z.enum(['camscore', 'referral_bought', 'guy_bought', 'long_premium_chat']),
        done_at: Time.nullable(),
      }),
    ),
  }),
  absences: z.object({
    last_hour: Count,
    items: z.array(
      z.object({ statement_id: Id, at: Time, kind: z.enum(['no_face', 'missed_offers']) }),
    ),
  }),
  penalty_refund: z.object({ earned: Amount, needed: Amount, until: Time }).optional(),
  reset: z.object({ at: Time, days_left: Count }).optional(),
})
export type Studio = z.output<typeof Studio>

export const actions = {}

export const events = {}

export const endpoints = {
  'GET studio': endpoint('GET', 'studio', {
    summary:
      'The girl’s day: time, earnings, Camscore part by part, TOP, absences, and what can be refunded or lost.',
    who: 'girl',
    data: Studio,
    refuses: [],
  }),
}
