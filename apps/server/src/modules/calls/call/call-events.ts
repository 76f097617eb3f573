import type {
  Call,
  CloseReason,
  PauseReason,
  Phase,
  Side,
  StaffReason,
  VideoRules,
} from './call.ts'

/** PEER_STATE as it came. */
export type PeerState = {
  session_guid: string
  frames_decoded: number
  frames_sent: number
  reports_received: number
  audio: boolean
  video: boolean
}

export type Happened =
  /** JOIN_SESSION: this side is present; the guid is the one that holds from now on. */
  | { kind: 'joined'; side: Side; session_guid: string }
  | { kind: 'peer_connected'; side: Side; session_guid: string }
  | { kind: 'peer_not_connected'; side: Side; session_guid: string }
  | ({ kind: 'reported'; side: Side } & PeerState)
  /** Either socket closed or without a pong; with `taken_over`, by another tab of the same person. */
  | { kind: 'socket_lost'; side: Side }
  | { kind: 'taken_over'; side: Side }
  /** Main socket authenticated and /signal joined again. */
  | { kind: 'socket_back'; side: Side }
  /** `available_units`: what he could spend, this call's hold counted in, seconds not yet posted not taken off. */
  | { kind: 'asked_private'; side: Side; available_units: bigint }
  | { kind: 'answered_private'; side: Side; accept: boolean; available_units: bigint }
  | { kind: 'break_set'; on: boolean }
  /** `break` is hers, `next` is his. */
  | { kind: 'left'; side: Side; break?: boolean; next?: boolean }
  | { kind: 'staff_ended'; reason: StaffReason }
  /** Answer to `reserve` and `renew_hold`: so many seconds from `from_seconds` on are held. */
  | { kind: 'hold_renewed'; seconds: number }
  | { kind: 'hold_refused' }
  /** His balance grew; he may not spend any more. */
  | { kind: 'money_came' }
  | { kind: 'money_ended' }
  /** The server is ready again; the call is as its row says. */
  | { kind: 'server_back' }
  | { kind: 'time_came' }
  | { kind: 'round' }

/** Cumulative totals of a call, so that rounding never drifts: what is posted is the difference to the last totals. */
export type Totals = { paid_seconds: number; his_units: bigint; her_units: bigint }

/** What each side gets with close_session; `balance` is added by whoever sends it. Amounts in units. */
export type Receipt = {
  session_id: number
  reason: CloseReason
  seconds: number
  paid_seconds: number
  free_seconds: number
  quota_seconds: number
  paused: { from: Temporal.Instant; seconds: number; why: PauseReason }[]
  spent?: bigint
  earned?: bigint
}

/** `spent` and `earned` are totals up to now: what is not posted yet is their difference to the posted totals. */
export type MeterReading = {
  phase: Phase
  why: PauseReason | null
  phase_since: Temporal.Instant
  paid_seconds: number
  spent: bigint
  earned: bigint
  /** When money or quota ends, once that is certain. */
  ends_at: Temporal.Instant | null
}

/** A hold that covers `seconds` from `from_seconds` on costs `units`; fewer whole seconds where he cannot afford them. */
export type HoldWish = { from_seconds: number; seconds: number; units: bigint }

export type AskRefusal = 'no_balance' | 'user_offline' | 'too_many' | 'pair_over' | 'not_found'

export type Effect =
  /** The command that brought this is refused; nothing else follows but what time brought. */
  | { kind: 'refuse'; name: AskRefusal; missing_units?: bigint; retry_after_seconds?: number }
  /** The first hold. Answer with `hold_renewed` or `hold_refused` in the same transaction. */
  | ({ kind: 'reserve' } & HoldWish)
  /** Post up to `post`, void the rest of the old hold if there is one, hold anew. Answered as `reserve`. */
  | ({ kind: 'renew_hold'; post: Totals } & HoldWish)
  /** At the end: post what is not posted, void the rest of the hold. */
  | { kind: 'post'; post: Totals }
  | { kind: 'use_free_start' }
  /** So many more seconds of his free quota are used. */
  | { kind: 'use_quota'; seconds: number }
  | { kind: 'tell_meter'; reading: MeterReading }
  /** new_session with the id of the running call, to both. */
  | { kind: 'tell_new_session' }
  /** The asking stands: what the asker's acknowledgement says. */
  | { kind: 'asked'; by: Side; expires_at: Temporal.Instant }
  | { kind: 'tell_ask'; to: Side; expires_at: Temporal.Instant }
  | { kind: 'tell_ask_closed'; to: Side; reason: 'declined' | 'expired' }
  | { kind: 'flag'; about: 'contradiction' | 'never_reported'; user_id: number }
  | { kind: 'close'; reason: CloseReason; guy: Receipt; girl: Receipt }
  /** To him, so that NotBalance opens with her. */
  | { kind: 'refill_balance'; last_interlocutor: number }
  /** Back into search, if the main socket lives. */
  | { kind: 'requeue'; side: Side; why: CloseReason }
  /** Hers was set: out of search. */
  | { kind: 'begin_break' }
  | { kind: 'wake_at'; at: Temporal.Instant }

/** A decision in the making: a copy of the call that may be changed, and what is to be done. */
export type Turn = {
  call: Call
  effects: Effect[]
  now_ms: number
  rules: VideoRules
  /** The reading changed in a way that its phase does not show. */
  tell: boolean
  /** The hold must follow a new price. */
  renew: boolean
}
