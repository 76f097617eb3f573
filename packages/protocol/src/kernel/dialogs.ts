import { z } from 'zod'
import { CallState, Gift, Media, UserInterlocutor } from './entities.ts'
import { Amount, Count, Id, Permission, Seconds, Time, UserId } from './primitives.ts'
import type { RefusalName } from './refusals.ts'

export const CallFacts = z.object({ kind: CallState, seconds: Seconds, missed: z.boolean() })
export type CallFacts = z.output<typeof CallFacts>

/** `reward` in coins, `price` in message credits. A removed message has no content. */
const AnyMessage = z.object({
  message_id: Id,
  dialog_id: Id,
  sender_id: UserId,
  message: z.string(),
  read_status: z.union([z.literal(0), z.literal(1)]),
  random_id: z.string().optional(),
  translate_message: z.string().optional(),
  create_time: Time,
  reward: Amount.optional(),
  price: Count.optional(),
  vanish_at: Time.optional(),
  removed: z.boolean().optional(),
})

/** An entry of a dialog. A new type does not compile until it is drawn, summarised, stored and exported. */
export const Message = z.discriminatedUnion('type', [
  AnyMessage.extend({ type: z.literal('text') }),
  AnyMessage.extend({ type: z.literal('image'), media: Media.optional() }),
  AnyMessage.extend({ type: z.literal('gift'), gift: Gift.optional() }),
  AnyMessage.extend({ type: z.literal('like') }),
  AnyMessage.extend({ type: z.literal('call'), call: CallFacts.optional() }),
  AnyMessage.extend({ type: z.literal('system') }),
])
export type Message = z.output<typeof Message>
export type MessageType = Message['type']

/** The refusals that end the right to write in a dialog. */
const WRITING_REFUSALS = [
  'not_found',
  'blocked',
  'premium_only',
  'no_first_write',
  'message_limit',
  'no_balance',
] as const satisfies readonly RefusalName[]
export type WritingRefusal = (typeof WRITING_REFUSALS)[number]

/** Whether the user may send the next message, and what it costs. `credits`: message credits, with the cost `credit`. */
export const CanWrite = Permission.extend({
  name: z.enum(WRITING_REFUSALS).optional(),
  cost: z.enum(['free', 'credit', 'none']),
  credits: Count.optional(),
  reward: Amount.optional(),
})
export type CanWrite = z.output<typeof CanWrite>

export const Dialog = z.object({
  id: Id,
  dialog_id: Id,
  activity_id: Id,
  type: z.literal('common'),
  interlocutor: UserInterlocutor,
  last_message: Message.nullable(),
  count_new_messages: Count,
  can_write: CanWrite,
})
export type Dialog = z.output<typeof Dialog>
