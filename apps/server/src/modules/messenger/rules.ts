import { createHmac } from 'node:crypto'
import type { Role } from '@duet/protocol/kernel/roles.ts'
import type { WritingRefusal } from '@duet/protocol'
import type { Charge, Payer } from '../allowances/index.ts'
import { isPremium } from '../identity/index.ts'

/** The facts that decide whether a user may write to the other one of a dialog. */
export interface WritingFacts {
  readonly writer: Role
  /** One of the two has blocked the other. */
  readonly is_blocked: boolean
  /** The other user is deleted, or waits for the deletion. */
  readonly is_gone: boolean
  /** Of a guy: Premium at this moment. */
  readonly is_premium: boolean
  /** Of a guy: the girl wrote to him or liked him. */
  readonly is_invited: boolean
  /** Of a girl: he has written in this dialog. */
  readonly has_answer: boolean
  /** Of a girl: her messages since his last message. */
  readonly unanswered: number
  /** Of a girl: how many messages she may write before he has written. */
  readonly unanswered_max: number
}

/** The columns of the view `dialog_rights` that decide whether its user may write. */
export interface DialogRights extends Omit<WritingFacts, 'is_premium' | 'unanswered_max'> {
  readonly premium_until: Temporal.Instant | null
}

/** Whether a user may write in a dialog: the facts of the view's row at this moment. */
export function writingFacts(
  { writer, is_blocked, is_gone, is_invited, has_answer, unanswered, premium_until }: DialogRights,
  now: Temporal.Instant,
  unansweredMax: number,
): WritingFacts {
  const rights = { writer, is_blocked, is_gone, is_invited, has_answer, unanswered }
  return { ...rights, is_premium: isPremium({ premium_until }, now), unanswered_max: unansweredMax }
}

/** Whether the user may send the next message, and what it costs. */
export type Writing = Charge | { readonly type: 'refused'; readonly refusal: WritingRefusal }

/** The writer as the user who may have to pay. */
export function payer({ writer, is_premium }: WritingFacts): Payer {
  return { role: writer, is_premium }
}

/** Why this user may not write here at all, whatever the message costs. */
export function findWritingRefusal(facts: WritingFacts): WritingRefusal | undefined {
  if (facts.is_gone) return 'not_found'
  if (facts.is_blocked) return 'blocked'
  if (facts.writer === 'guy')
    return facts.is_premium || facts.is_invited ? undefined : 'premium_only'
  return facts.has_answer || facts.unanswered < facts.unanswered_max ? undefined : 'no_first_write'
}

/** Whether the user may send the next message at this charge. */
export function decideWriting(facts: WritingFacts, charge: Charge): Writing {
  const refusal = findWritingRefusal(facts)
  return refusal === undefined ? charge : { type: 'refused', refusal }
}

/** Why this user may not send a picture where a text may be sent. */
export function maySendPicture({ writer, is_premium }: WritingFacts): 'premium_only' | undefined {
  return writer === 'guy' && !is_premium ? 'premium_only' : undefined
}

const REWARDED_CHARACTERS_MIN = 2
const DIGEST_CHARACTERS = 16
/** If a text equals one of this many last texts of the girl in the dialog, she earns nothing for it. */
export const COMPARED_TEXTS = 5

/** The part of a text by which two texts are equal: spaces and capitals make no difference. */
export function comparable(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim()
}

/** The purpose of the key of all digests of texts. */
export const TEXT_DIGESTS = 'digests of texts'

/** Texts that count as the same have the same digest. */
export function computeDigest(key: Buffer, text: string): string {
  return createHmac('sha256', key)
    .update(comparable(text))
    .digest('hex')
    .slice(0, DIGEST_CHARACTERS)
}

/** Whether a girl's message can earn the reward of an unanswered paid message. */
export function qualifies(text: string, equalsRecentText: boolean): boolean {
  return !equalsRecentText && [...comparable(text)].length >= REWARDED_CHARACTERS_MIN
}

/** When a girl's message that is read now disappears; undefined for every other message. */
export function vanishTime(
  { sender, reader_premium }: { readonly sender: Role; readonly reader_premium: boolean },
  readAt: Temporal.Instant,
  vanishSeconds: number,
): Temporal.Instant | undefined {
  return sender === 'girl' && !reader_premium ? readAt.add({ seconds: vanishSeconds }) : undefined
}
