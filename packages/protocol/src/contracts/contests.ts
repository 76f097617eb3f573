import { z } from 'zod'
import { endpoint } from '../kernel/contract.ts'
import { UserInterlocutor } from '../kernel/entities.ts'
import { Amount, Count, QueryCount, Time } from '../kernel/primitives.ts'

const Place = z.int().positive()

export const Ranking = z.object({
  period: z.object({ from: Time.nullable(), to: Time.nullable() }),
  frozen: z.boolean(),
  items: z.array(
    z.object({
      place: Place,
      user_interlocutor: UserInterlocutor,
      coins: Amount,
      prize_usd: Amount.optional(),
    }),
  ),
  updated_at: Time,
})
export type Ranking = z.output<typeof Ranking>

/**
 * The girl's place in a contest. Absent before the first coin. `to_next` is the number of coins to the
 * place above.
 */
export const OwnPlace = z.object({
  place: Place.nullable(),
  coins: Amount,
  to_next: Amount.optional(),
})
export type OwnPlace = z.output<typeof OwnPlace>

/** 0 is the present period, 1 the period before. */
const Period = z.object({ x: QueryCount.refine((x) => x <= 30, 'At most 30 periods back') })

export const actions = {}

export const events = {}

export const endpoints = {
  'GET v2/tournament/top/day/{x}': endpoint('GET', 'v2/tournament/top/day/{x}', {
    summary: 'The ranking of a day.',
    who: 'member',
    query: Period,
    data: Ranking,
    refuses: [],
  }),
  'GET v2/tournament/top/week/{x}': endpoint('GET', 'v2/tournament/top/week/{x}', {
    summary: 'The ranking of a week.',
    who: 'member',
    query: Period,
    data: Ranking,
    refuses: [],
  }),
  'GET v2/tournament/top/all-time': endpoint('GET', 'v2/tournament/top/all-time', {
    summary: 'The ranking of all time.',
    who: 'member',
    data: Ranking,
    refuses: [],
  }),
  'GET v2/tournament/rating/current/day': endpoint('GET', 'v2/tournament/rating/current/day', {
    summary: 'The girl’s place today.',
    who: 'girl',
    data: OwnPlace,
    refuses: [],
  }),
  'GET v2/tournament/rating/current/week': endpoint('GET', 'v2/tournament/rating/current/week', {
    summary: 'The girl’s place this week.',
    who: 'girl',
    data: OwnPlace,
    refuses: [],
  }),
  'GET v2/tournament/rating/current': endpoint('GET', 'v2/tournament/rating/current', {
    summary: 'The girl’s places: today, this week, of all time.',
    who: 'girl',
    data: z.object({ day: OwnPlace, week: OwnPlace, all_time: OwnPlace }),
    refuses: [],
  }),
  'GET v2/account/earnings/competition/profit': endpoint(
    'GET',
    'v2/account/earnings/competition/profit',
    {
      summary: 'The girl’s earnings, places and prizes in the present contests.',
      who: 'girl',
      data: z.object({
        today_coins: Amount,
        week_coins: Amount,
        place: Place.optional(),
        prize_usd: Amount.optional(),
        santa: z.object({
          earned_usd: Amount,
          step: Count,
          bonus_usd: Amount,
          next: z.object({ earned_usd: Amount, bonus_usd: Amount }).optional(),
        }),
        updated_at: Time,
      }),
      refuses: [],
    },
  ),
}
