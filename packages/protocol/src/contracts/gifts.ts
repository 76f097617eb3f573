import { z } from 'zod'
import { action, endpoint, event } from '../kernel/contract.ts'
import { Gift, UserInterlocutor } from '../kernel/entities.ts'
import { listAnswer, PageQuery } from '../kernel/envelope.ts'
import { limits } from '../kernel/limits.ts'
import { RequestedLocale } from '../kernel/locale-schemas.ts'
import { Amount, Id, Time, UserId } from '../kernel/primitives.ts'

/** As the girl who received it sees it: `reward` in coins. */
export const ReceivedGift = z.object({
  id: Id,
  gift: Gift,
  nick: z.string(),
  user_id: UserId,
  reward: Amount,
  create_time: Time,
})
export type ReceivedGift = z.output<typeof ReceivedGift>
/** As the guy who gave it sees it: `price` in minutes. Without the girl if her account is gone or she hides from him. */
export const GivenGift = z.object({
  id: Id,
  gift: Gift,
  user_interlocutor: UserInterlocutor.nullable(),
  price: Amount,
  create_time: Time,
})
export type GivenGift = z.output<typeof GivenGift>

export const actions = {
  GIVE_GIFT: action('GIVE_GIFT', {
    method: 'giveGift',
    summary:
      'Gives a gift for minutes, in a call, a dialog, or outside of both. With the shown price, another price is refused. The same random_id again returns the first answer.',
    who: 'guy',
    data: z.object({
      gift_id: Id,
      recipient_id: UserId,
      price: Amount.optional(),
      session_id: Id.optional(),
      dialog_id: Id.optional(),
      random_id: z.string().min(1).max(limits.random_id_characters),
    }),
    ack: z.object({ balance: Amount, gift: Gift }),
    refuses: ['no_balance', 'not_found', 'no_gifts', 'blocked', 'key_reused'],
  }),
}

export const events = {
  got_gift: event('got_gift', {
    summary: 'The girl received a gift.',
    durable: true,
    payload: z.object({
      id: Id,
      gift_id: Id,
      nick: z.string(),
      user_id: UserId,
      session_id: Id.optional(),
      dialog_id: Id.optional(),
      reward: Amount,
      create_time: Time,
    }),
  }),
  give_gift_success: event('give_gift_success', {
    summary: 'The guy’s gift was given.',
    durable: true,
    payload: z.object({ id: Id, recipient_id: UserId, gift_id: Id, balance: Amount }),
  }),
}

export const endpoints = {
  'GET gifts': endpoint('GET', 'gifts', {
    summary: 'The gifts on sale, with prices in minutes and names in the requested language.',
    who: 'any',
    banned: true,
    query: z.object({ lang: RequestedLocale.optional() }),
    data: z.object({ gifts: z.array(Gift) }),
    refuses: [],
  }),
  'GET girl_gifts': endpoint('GET', 'girl_gifts', {
    summary:
      'A girl’s received, a guy’s given gifts, newest first. `sum`: coins of the girl, minutes of the guy.',
    who: 'member',
    query: PageQuery.extend({ lang: RequestedLocale.optional() }),
    data: listAnswer(z.union([ReceivedGift, GivenGift])).extend({ sum: Amount }),
    refuses: [],
  }),
}
