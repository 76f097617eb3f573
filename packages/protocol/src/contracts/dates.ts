import { z } from 'zod'
import { endpoint, event } from '../kernel/contract.ts'
import { UserInterlocutor } from '../kernel/entities.ts'
import { listAnswer, PageQuery } from '../kernel/envelope.ts'
import { Amount, Count, Id, QueryId, Time, UserId } from '../kernel/primitives.ts'

export const DateMinutes = z.union([z.literal(15), z.literal(30), z.literal(60)])
export type DateMinutes = z.output<typeof DateMinutes>
export const DateState = z.enum([
  'requested',
  'accepted',
  'declined',
  'cancelled',
  'expired',
  'started',
  'done',
  'he_missed',
  'she_missed',
])
export type DateState = z.output<typeof DateState>

/**
 * A private call by appointment, as one of its parties sees it. `price` is per minute in the reader's own
 * currency. `hold` is the amount that was held on the guy's account. `pressed` and `waiting`: the reader,
 * and the other side, are there. Of a missed or late cancelled date the guy paid `kept`, and the girl earned
 * `earned`; `late_cost` is what such a date would cost him. Without `user_interlocutor` the other side is
 * gone or hides from the reader.
 */
export const VirtualDate = z.object({
  id: Id,
  user_interlocutor: UserInterlocutor.optional(),
  at: Time,
  minutes: DateMinutes,
  state: DateState,
  price: Amount,
  hold: Amount.optional(),
  free_until: Time,
  press_until: Time,
  answer_until: Time,
  pressed: z.boolean(),
  waiting: z.boolean(),
  cancelled_by: z.enum(['you', 'other']).optional(),
  late_cost: Amount.optional(),
  kept: Amount.optional(),
  earned: Amount.optional(),
  session_id: Id.optional(),
  create_time: Time,
})
export type VirtualDate = z.output<typeof VirtualDate>

/** A window of her week, in her zone: 1 is Monday; minutes of the day, the end excluded. */
export const OpenHours = z.object({
  weekday: z.int().min(1).max(7),
  from_minute: z.int().min(0).max(1439),
  until_minute: z.int().min(1).max(1440),
})
export type OpenHours = z.output<typeof OpenHours>
/** `version` counts the saves of the week; 0: she has never set it. */
export const OpenWeek = z.object({
  zone: z.string().min(1).max(64),
  hours: z.array(OpenHours).max(70),
  version: Count,
})
export type OpenWeek = z.output<typeof OpenWeek>
/** Open hours, the end excluded. */
const OpenSpan = z.object({ from: Time, until: Time })

const DateId = z.object({ id: QueryId })
const OneDate = z.object({ date: VirtualDate })

export const actions = {}

export const events = {
  date_update: event('date_update', {
    summary: 'A private date was asked for, answered, reminded of, or ended.',
    durable: true,
    payload: OneDate,
  }),
}

export const endpoints = {
  'GET dates': endpoint('GET', 'dates', {
    summary:
      'The user’s own private dates, upcoming first, then past. `now`: the clock of a device may be wrong.',
    who: 'member',
    query: PageQuery,
    data: listAnswer(VirtualDate).extend({ now: Time }),
    refuses: [],
  }),
  'POST dates': endpoint('POST', 'dates', {
    summary:
      'Asks a girl who is a favourite or has a dialog with the guy for a date in her open hours; the amount is held from now on.',
    who: 'guy',
    rate: '20/hour',
    idempotent: true,
    body: z.object({ user_id: UserId, at: Time, minutes: DateMinutes }),
    data: OneDate,
    refuses: [
      'age_unconfirmed',
      'not_found',
      'blocked',
      'no_balance',
      'user_offline',
      'in_call',
      'key_reused',
    ],
  }),
  'POST dates/{id}/accept': endpoint('POST', 'dates/{id}/accept', {
    summary: 'The girl accepts a date.',
    who: 'girl',
    query: DateId,
    data: OneDate,
    refuses: ['not_found', 'pair_over', 'verification_required', 'avatar_required'],
  }),
  'POST dates/{id}/decline': endpoint('POST', 'dates/{id}/decline', {
    summary: 'The girl declines a date; the guy’s hold is voided.',
    who: 'girl',
    query: DateId,
    data: OneDate,
    refuses: ['not_found', 'pair_over'],
  }),
  'POST dates/{id}/cancel': endpoint('POST', 'dates/{id}/cancel', {
    summary: 'Cancels a date; over an hour before, the guy’s hold is voided.',
    who: 'member',
    query: DateId,
    data: OneDate,
    refuses: ['not_found', 'pair_over'],
  }),
  'POST dates/{id}/start': endpoint('POST', 'dates/{id}/start', {
    summary: 'Is there at the time; when both pressed, the private call opens.',
    who: 'member',
    query: DateId,
    data: OneDate,
    refuses: ['not_found', 'pair_over', 'in_call', 'age_unconfirmed', 'avatar_required'],
  }),
  'GET dates/{id}/calendar': endpoint('GET', 'dates/{id}/calendar', {
    summary: 'An accepted date as a file for a calendar.',
    who: 'member',
    query: DateId,
    data: z.string(),
    gives: 'raw',
    refuses: ['not_found', 'pair_over'],
  }),
  'GET dates/hours': endpoint('GET', 'dates/hours', {
    summary:
      'A girl’s open hours with the times already taken: her own, or for a guy those of the girl asked about. `open`: the next weeks without those times. `user_interlocutor`: that girl.',
    who: 'member',
    query: z.object({ user_id: QueryId.optional() }),
    data: OpenWeek.extend({
      user_interlocutor: UserInterlocutor.optional(),
      taken: z.array(z.object({ at: Time, minutes: DateMinutes })),
      open: z.array(OpenSpan),
    }),
    refuses: ['not_found', 'blocked'],
  }),
  'POST dates/hours': endpoint('POST', 'dates/hours', {
    summary:
      'Sets the girl’s open hours, the whole week at once. `version`: of the week that was read; the answer has the new one. A week that was changed since then stays; repeating is harmless.',
    who: 'girl',
    body: OpenWeek,
    data: OpenWeek,
    refuses: ['changed_elsewhere'],
  }),
}
