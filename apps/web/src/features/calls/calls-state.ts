import type {
  MeterPhase,
  PauseReason,
  Receipt,
  Session,
  SideMedia,
  SoundOnly,
  UserInterlocutor,
} from '@duet/protocol'
import type { Role } from '@duet/protocol/kernel/roles.ts'
import type { ModuleEvent, ServerEvent } from '../../shared/connection/event-reducers.ts'

/** The last meter event. `readMeter` computes the present values. Times are epoch milliseconds of this device. */
export interface MeterClock {
  phase: MeterPhase
  why: PauseReason | null
  /** The server's own time, which identifies the phase. */
  phase_since: number
  received_at_ms: number
  paid_seconds: number
  balance: string | null
  earned: string | null
  /** Spent in finished phases. */
  free_used_ms: number
  quota_used_ms: number
}

export type TextState = 'sending' | 'sent' | 'failed'

export interface CallText {
  /** The sender chooses the id. Every event about this text has the same id. */
  id: string
  text_id: number | null
  sender_id: number
  text: string
  state: TextState
  at_ms: number
}

/**
 * The expiry of a question to go private, and the time that the server gave the question. The ring shows the share that
 * is left.
 */
export interface AskTime {
  expires_at_ms: number
  lasts_ms: number
}

/** How this page left the call. Only a girl uses `break`. */
export type Leaving = 'next' | 'end' | 'break'

/**
 * Whether this page takes part in the call. A page that finds a call at AUTH opens no device and does not join before the
 * browser gives the devices without a question (`checking`, after a reload) or the user answers (`asking`).
 */
export type CallEntry = 'joined' | 'checking' | 'asking'

export interface RunningCall {
  session: Session
  entry: CallEntry
  /** The partner's own words, from the offer. A reloaded page does not know these words. */
  about: string | null
  opened_at_ms: number
  /** Opened by `new_session`, not found after a reload: the engine may connect before it joined. */
  is_fresh: boolean
  /** The partner's picture was seen on this page. */
  is_met: boolean
  meter: MeterClock | null
  texts: readonly CallText[]
  typing_until_ms: number
  partner_media: SideMedia
  /** The sides that agree to go on while the girl's camera is off. */
  sound_only: SoundOnly
  /** When the server noticed that both are silent. Zero: never, or one of the two has written since. */
  hinted_at_ms: number
  /** The partner asks to go private. */
  ask: (AskTime & { price: string }) | null
  own_ask: AskTime | null
  own_ask_answer: 'declined' | 'expired' | null
  declined_at_ms: number
  ask_again_at_ms: number
  /** The user left on this page, and the media is stopped. The server has not closed the call yet. */
  leaving: Leaving | null
  /** The server does not answer, or cannot be reached. */
  is_leave_stuck: boolean
}

/** A call that ended, for its receipt. */
export interface EndedCall {
  receipt: Receipt
  person: UserInterlocutor
  /** Null when the partner or the server ended it. */
  how: Leaving | null
  at_ms: number
  /** No search precedes or follows a direct call. */
  is_direct: boolean
  /** The user saw the partner on this page, or the server knows that the two were connected. */
  is_met: boolean
  /** The server puts this user back in search by itself. */
  is_requeued: boolean
}

/**
 * The clock of the server on this device. A server time plus `offset_ms` is a time of this device. `is_sure` after an
 * event arrived without delay.
 */
export interface ServerClock {
  offset_ms: number
  is_sure: boolean
}

export interface CallsState {
  /** The own user. Null before AUTH. */
  own: { id: number; role: Role } | null
  call: RunningCall | null
  /** A call that the last AUTH no longer named. Its receipt has not come yet. */
  dropped: RunningCall | null
  /** The call that the user left without an answer of the server: AUTH may still name it, and this page does not show it again. */
  abandoned: { session_id: number; how: Leaving } | null
  /** The highest id of a closed call. Later events of a closed call change nothing. */
  closed_session_id: number
  left: EndedCall | null
  clock: ServerClock
}

export const INITIAL_CALLS: CallsState = {
  own: null,
  call: null,
  dropped: null,
  abandoned: null,
  closed_session_id: 0,
  left: null,
  clock: { offset_ms: 0, is_sure: false },
}

export type CallServerEvent = ServerEvent<ModuleEvent<'calls'>>

/** Changes of the running call that come from this page: the user or the engine. */
export type InCallPageEvent =
  | { type: 'partner_seen'; session_id: number }
  | { type: 'entry_changed'; session_id: number; entry: CallEntry }
  | { type: 'leaving'; session_id: number; how: Leaving | null }
  | { type: 'leave_stuck'; session_id: number }
  | ({ type: 'private_asked'; session_id: number } & AskTime)
  | { type: 'private_answered'; session_id: number }
  | { type: 'text_written'; session_id: number; id: string; text: string; at_ms: number }
  | { type: 'text_sent'; session_id: number; id: string; text_id: number; text: string }
  | { type: 'text_failed'; session_id: number; id: string }
  | { type: 'break_set'; session_id: number; on: boolean }

/** Changes of the calls that come from this page. */
export type CallPageEvent =
  | InCallPageEvent
  /** The call that AUTH names, if there is a call. */
  | {
      type: 'call_restored'
      own: { id: number; role: Role }
      session: Session | null
      at_ms: number
      /** The call ran in this tab before a reload. */
      is_own_tab: boolean
    }
  /** The user left this call before the page was loaded again. */
  | { type: 'call_left_before'; session_id: number; how: Leaving }
  | { type: 'balance_changed'; balance: string }
  | { type: 'call_abandoned'; session_id: number }
  | { type: 'receipt_closed' }

export type CallsEvent = CallServerEvent | CallPageEvent
