import type { Role } from '@duet/protocol/kernel/roles.ts'
import type {
  AuthSuccess,
  Meter,
  MeterPhase,
  PairClosedReason,
  PauseReason,
  Receipt,
  SearchPair,
  SearchState,
  Session,
  SessionText,
  SessionUp,
  UserInterlocutor,
} from '@duet/protocol'

/** Oneself, as far as calls care. */
export interface Me {
  id: number
  role: Role
  /** Registered: only then an offer can be accepted. */
  is_member: boolean
  nick: string | null
  avatar: string | null
  is_verified: boolean
  auto_accept: boolean
  /** Diamonds, a decimal string. */
  balance: string
  /** Free seconds that are left. */
  quota_seconds: number
}

export interface Offer {
  pair: SearchPair
  expires_at_ms: number
  answer: 'accept' | 'skip' | null
}

/** The meter as last told; `readMeter` says what it shows now. Times are epoch milliseconds of this device. */
export interface MeterClock {
  phase: MeterPhase
  why: PauseReason | null
  /** The server's own time: phases are told apart by it. */
  phase_since: number
  heard_at_ms: number
  paid_seconds: number
  balance: string | null
  earned: string | null
  /** Spent in phases that are over. */
  free_used_ms: number
  quota_used_ms: number
}

export type TextState = 'sending' | 'sent' | 'failed'

export interface CallText {
  /** Drawn by whoever wrote it; the same in every telling of it. */
  id: string
  text_id: number | null
  sender_id: number
  text: string
  state: TextState
  at_ms: number
}

/** How this page left: `break` is hers. */
export type Leaving = 'next' | 'end' | 'break'

export interface RunningCall {
  session: Session
  opened_at_ms: number
  /** Told as new, not found after a reload: the engine may begin before it joined. */
  is_fresh: boolean
  /** The partner's picture was seen on this page. */
  is_met: boolean
  meter: MeterClock | null
  texts: readonly CallText[]
  typing_until_ms: number
  /** The partner asks to go private. */
  ask: { price: string; expires_at_ms: number } | null
  own_ask: { expires_at_ms: number } | null
  own_ask_answer: 'declined' | 'expired' | null
  ask_again_at_ms: number
  leaving: Leaving | null
}

/** A call that is over, for the receipt. */
export interface Left {
  receipt: Receipt
  person: UserInterlocutor
  how: Leaving | null
  at_ms: number
}

export type Gate = 'permission' | 'denied'

export interface CallState {
  me: Me | null
  search: SearchState
  waiting_since_ms: number
  /** Start was pressed, or the end of a call puts back in search (`expected`), and the server has not said so yet. */
  starting: 'pressed' | 'expected' | null
  offer: Offer | null
  offer_closed: PairClosedReason | null
  call: RunningCall | null
  /** A call that AUTH did not name any more: its receipt is still to come. */
  dropped: RunningCall | null
  /** The highest call that ended: what is told of it later changes nothing. */
  closed_session_id: number
  left: Left | null
  gate: Gate | null
  /** What is added to the server's time to get this device's; `is_sure` once something was told as it happened. */
  clock: { offset_ms: number; is_sure: boolean }
}

type At = { at_ms: number }

/** What the server told (by its event's name), and what happened on this page. */
export type Happened =
  | ({ what: 'auth'; auth: AuthSuccess; me: Me } & At)
  | { what: 'own_record'; me: Me }
  | ({ what: 'search_state'; search: SearchState } & At)
  | ({ what: 'search_pair'; pair: SearchPair } & At)
  | { what: 'search_pair_closed'; pair_id: string; reason: PairClosedReason }
  | ({ what: 'new_session'; session: Session } & At)
  | ({ what: 'meter'; meter: Meter } & At)
  | ({ what: 'text_chat_message'; text: SessionText } & At)
  | ({ what: 'session_typing'; session_id: number; user_id: number } & At)
  | ({ what: 'session_up'; ask: SessionUp } & At)
  | ({ what: 'session_up_declined'; session_id: number; reason: 'declined' | 'expired' } & At)
  | ({ what: 'close_session'; receipt: Receipt } & At)
  | ({ what: 'start_pressed' } & At)
  | { what: 'start_failed' }
  | { what: 'stop_pressed' }
  | { what: 'offer_answered'; pair_id: string; answer: 'accept' | 'skip' | null }
  | { what: 'partner_seen'; session_id: number }
  | { what: 'leaving'; session_id: number; how: Leaving | null }
  | { what: 'asked_private'; session_id: number; expires_at_ms: number }
  | { what: 'answered_private'; session_id: number }
  | ({ what: 'text_written'; session_id: number; id: string; text: string } & At)
  | { what: 'text_sent'; session_id: number; id: string; text_id: number; text: string }
  | { what: 'text_failed'; session_id: number; id: string }
  | { what: 'break_set'; session_id: number; on: boolean }
  | { what: 'gate'; gate: Gate | null }
  | { what: 'receipt_closed' }

export const NOBODY: CallState = {
  me: null,
  search: { state: 'idle' },
  waiting_since_ms: 0,
  starting: null,
  offer: null,
  offer_closed: null,
  call: null,
  dropped: null,
  closed_session_id: 0,
  left: null,
  gate: null,
  clock: { offset_ms: 0, is_sure: false },
}
