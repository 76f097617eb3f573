import { z } from 'zod'
import { action, endpoint, event } from '../kernel/contract.ts'
import { UserInterlocutor } from '../kernel/entities.ts'
import { listAnswer, PageQuery } from '../kernel/envelope.ts'
import { limits } from '../kernel/limits.ts'
import { Count, Id, nothing, Time, UserId } from '../kernel/primitives.ts'

export const NoticeKind = z.enum([
  'wanted_girl_online',
  'premium_guest_online',
  'liked',
  'kept',
  'missed_call',
  'gift',
  'date',
  'payment',
  'premium_ended',
  'payout',
  'penalty',
  'penalty_refund',
  'photo',
  'statement',
  'appeal',
  'complaint',
  'verification',
  'prize',
  'referral',
  'balance_reset',
  'support',
  'security',
  'operator',
])
export type NoticeKind = z.output<typeof NoticeKind>

/** A notice of the bell. The client has the sentence for each kind; `facts` are the values in it. */
export const Notice = z.object({
  id: Id,
  kind: NoticeKind,
  create_time: Time,
  read: z.boolean(),
  user: UserInterlocutor.optional(),
  facts: z.record(z.string(), z.union([z.string(), z.int(), z.boolean()])),
})
export type Notice = z.output<typeof Notice>

/** A `PushSubscription` in its JSON form. */
export const PushSubscription = z.object({
  endpoint: z.url().max(limits.url_characters),
  expirationTime: z.number().nullable().optional(),
  keys: z.object({
    p256dh: z.string().max(limits.token_characters),
    auth: z.string().max(limits.token_characters),
  }),
})
export type PushSubscription = z.output<typeof PushSubscription>

export const actions = {
  WANT_GIRL: action('WANT_GIRL', {
    method: 'wantGirl',
    summary: 'Asks for a notice when the girl comes online, or withdraws it.',
    who: 'guy',
    rate: '30/min',
    data: z.object({ user_id: UserId, on: z.boolean() }),
    ack: nothing,
    refuses: ['not_found', 'blocked'],
  }),
  UPDATE_PUSH: action('UPDATE_PUSH', {
    method: 'updatePush',
    summary: 'Where this browser takes push messages; null: no more.',
    who: 'member',
    rate: '20/min',
    data: z.object({ subscription: PushSubscription.nullable() }),
    ack: nothing,
    refuses: ['method_unavailable'],
  }),
}

export const events = {
  notice: event('notice', {
    summary: 'A new line of the bell.',
    durable: true,
    payload: z.object({ notice: Notice }),
  }),
  notices_read: event('notices_read', {
    summary: 'Lines of the bell were read by another page of the reader; null: all.',
    durable: true,
    payload: z.object({ ids: z.array(Id).nullable() }),
  }),
  wanted_girl_online: event('wanted_girl_online', {
    summary: 'A girl that the guy asked to be notified of is online.',
    payload: z.object({ user_interlocutor: UserInterlocutor }),
  }),
  premium_guest_online: event('premium_guest_online', {
    summary: 'A premium guy that the girl knows is online.',
    payload: z.object({ user_interlocutor: UserInterlocutor }),
  }),
}

export const endpoints = {
  'GET notices': endpoint('GET', 'notices', {
    summary: 'The bell, newest first.',
    who: 'member',
    banned: true,
    query: PageQuery,
    /** `unread` counts up to 100. */
    data: listAnswer(Notice).extend({ unread: Count }),
    refuses: [],
  }),
  'POST notices/read': endpoint('POST', 'notices/read', {
    summary: 'Has read these lines of the bell, or all.',
    who: 'member',
    banned: true,
    body: z.object({ ids: z.array(Id).max(limits.read_messages).optional() }),
    data: nothing,
    refuses: [],
  }),
}
