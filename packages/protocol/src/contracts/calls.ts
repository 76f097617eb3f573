import { z } from 'zod'
import { action, endpoint, event } from '../kernel/contract.ts'
import {
  CallState,
  Meter,
  PauseReason,
  Session,
  SessionText,
  SessionUp,
  SideMedia,
  SoundOnly,
  UserInterlocutor,
} from '../kernel/entities.ts'
import { Cursor, listAnswer, PageQuery } from '../kernel/envelope.ts'
import { limits } from '../kernel/limits.ts'
import { PairClosedReason } from './matchmaking.ts'
import {
  Amount,
  Id,
  Millis,
  nothing,
  Permission,
  Seconds,
  boundedText,
  Time,
  UserId,
} from '../kernel/primitives.ts'

const SessionId = z.object({ session_id: Id })

export const CloseReason = z.enum([
  'left',
  'break',
  'no_balance',
  'partner_lost',
  'not_connected',
  'media_lost',
  'complaint',
  'banned',
  'moderator',
  'new_tab',
  'server',
])
export type CloseReason = z.output<typeof CloseReason>

/** The length and the price of a call, exact to the unit of the ledger: `spent` for the guy, `earned` for the girl. */
export const CallAccount = z.object({
  seconds: Seconds,
  paid_seconds: Seconds,
  free_seconds: Seconds,
  quota_seconds: Seconds,
  paused: z.array(z.object({ from: Time, seconds: Seconds, why: PauseReason })),
  spent: Amount.optional(),
  earned: Amount.optional(),
})
export type CallAccount = z.output<typeof CallAccount>

export const Receipt = CallAccount.extend({
  session_id: Id,
  reason: CloseReason,
  balance: Amount,
})
export type Receipt = z.output<typeof Receipt>

/** A call of the past, or (`missed`) a ring that came to nothing: that has no session. */
export const PastCall = CallAccount.extend({
  /** Unique in the list. */
  id: z.string(),
  session_id: Id.nullable(),
  /** The other user, for a complaint. */
  user_id: UserId,
  /** Null: the other user is blocked, hidden from the viewer, banned or deleted. */
  user_interlocutor: UserInterlocutor.nullable(),
  /** Whether the viewer may call the user now. */
  can_call: Permission.optional(),
  state: CallState,
  started_at: Time,
  missed: z.boolean().optional(),
  /** Of a ring: the viewer called. */
  is_caller: z.boolean().optional(),
  reason: z.union([CloseReason, PairClosedReason]),
})
export type PastCall = z.output<typeof PastCall>

export const actions = {
  SESSION_UP: action('SESSION_UP', {
    method: 'askPrivate',
    summary: 'Asks the partner to go private; when both ask at once, that accepts.',
    who: 'member',
    data: SessionId,
    ack: z.object({ expires_in_ms: Millis }),
    refuses: ['no_balance', 'not_found', 'user_offline', 'too_many'],
  }),
  SESSION_UP_REACTION: action('SESSION_UP_REACTION', {
    method: 'answerPrivate',
    summary: 'Answers the asking; accepting makes the call private from that second.',
    who: 'member',
    data: SessionId.extend({ accept: z.boolean() }),
    ack: nothing,
    refuses: ['no_balance', 'not_found', 'pair_over', 'user_offline', 'spending_limit'],
  }),
  SOUND_ONLY: action('SOUND_ONLY', {
    method: 'goOnWithSound',
    summary:
      'Agrees, or no longer agrees, to go on with sound while the girl’s camera is off. The call ends for that reason only if one of the two does not agree. With her camera on no side agrees.',
    who: 'member',
    data: SessionId.extend({ agree: z.boolean() }),
    ack: SoundOnly,
    refuses: ['not_found'],
  }),
  BREAK_SESSION: action('BREAK_SESSION', {
    method: 'leaveSession',
    summary:
      'Ends the call and returns its receipt; for an own call that is closed, the stored one. break is for girls, next for guys.',
    who: 'member',
    banned: true,
    data: SessionId.extend({ break: z.boolean().optional(), next: z.boolean().optional() }),
    ack: Receipt,
    refuses: ['not_found'],
  }),
  TEXT_CHAT_MESSAGE: action('TEXT_CHAT_MESSAGE', {
    method: 'textChatMessage',
    summary:
      'Writes to the partner in the call; the text is masked before it is stored. The same id again returns the first answer.',
    who: 'member',
    rate: '60/min',
    data: SessionId.extend({
      text: boundedText(limits.message_characters, 1),
      id: z.string().min(1).max(limits.random_id_characters),
    }),
    ack: z.object({ id: z.string(), text_id: Id, text: z.string() }),
    refuses: ['not_found'],
  }),
  SESSION_TYPING: action('SESSION_TYPING', {
    method: 'sessionTyping',
    summary: 'Shows the partner in the call that the user is typing; never stored.',
    who: 'member',
    data: SessionId,
    ack: nothing,
    silent: true,
    refuses: ['not_found'],
  }),
  FACE_STATE: action('FACE_STATE', {
    method: 'faceState',
    summary:
      'The girl’s device sees a face before its camera again, or has seen none for since_ms; counted in a search and a call only.',
    who: 'girl',
    rate: '30/min',
    data: z.object({ session_id: Id.optional(), present: z.boolean(), since_ms: Millis }),
    ack: nothing,
    silent: true,
    refuses: ['not_found'],
  }),
}

export const events = {
  new_session: event('new_session', {
    summary:
      'A call opened; with the id of the running one it updates it (public to private, new price).',
    payload: z.object({ session: Session }),
  }),
  close_session: event('close_session', {
    summary: 'The call is over: its receipt.',
    durable: true,
    payload: Receipt,
  }),
  session_up: event('session_up', {
    summary: 'The partner asks to go private.',
    payload: SessionUp,
  }),
  session_up_declined: event('session_up_declined', {
    summary: 'The call stays public.',
    payload: SessionId.extend({ reason: z.enum(['declined', 'expired']) }),
  }),
  meter: event('meter', {
    summary: 'The meter of the call: at each change of phase, and every 10 s while paid.',
    payload: Meter,
  }),
  text_chat_message: event('text_chat_message', {
    summary: 'A text in the call, also the user’s own.',
    payload: SessionText,
  }),
  session_typing: event('session_typing', {
    summary: 'The partner in the call is typing.',
    payload: SessionId.extend({ user_id: UserId }),
  }),
  partner_media: event('partner_media', {
    summary:
      'What the partner’s page sends, and how much of this page’s picture it wants: at the first report, then at each change.',
    payload: SessionId.extend({ user_id: UserId, ...SideMedia.shape }),
  }),
  sound_only: event('sound_only', {
    summary: 'Who agrees to go on with sound while the girl’s camera is off.',
    payload: SessionId.extend(SoundOnly.shape),
  }),
  session_hint: event('session_hint', {
    summary: 'A moment for a gift.',
    payload: SessionId.extend({ kind: z.literal('gift') }),
  }),
}

export const endpoints = {
  'GET history_chats': endpoint('GET', 'history_chats', {
    summary:
      'The user’s own past calls with their receipts, newest first, without those that the user has cleared. `page` ends after the last thousand; `after` of an answer leads to its next page, at the same cost at any depth.',
    who: 'member',
    banned: true,
    query: PageQuery.extend({ after: Cursor.optional() }),
    data: listAnswer(PastCall).extend({ after: Cursor.optional() }),
    refuses: [],
  }),
  'POST history_chats/clear': endpoint('POST', 'history_chats/clear', {
    summary:
      'Clears the own history of calls. The calls stay for the other user and for complaints.',
    who: 'member',
    rate: '10/min',
    data: nothing,
    refuses: [],
  }),
}
