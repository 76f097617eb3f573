import type { CloseReason } from '@duet/protocol/contracts/calls.ts'
import type { DataMode, MeterPhase, PauseReason } from '@duet/protocol/kernel/entities.ts'
import type { Call, CallRules, Side, StaffReason } from './call.ts'

/** PEER_STATE as a page sent it. */
export interface PeerReport {
  session_guid: string
  frames_decoded: number
  frames_sent: number
  reports_received: number
  audio: boolean
  video: boolean
  data_mode?: DataMode
  weak?: boolean
}

export type CallEvent =
  /** JOIN_SESSION: this side is present; the guid names the peer connection that is valid from now on. */
  | { type: 'joined'; side: Side; session_guid: string }
  /** The page of this side reached the other page, whose camera flows from now on. */
  | { type: 'reached'; side: Side }
  | { type: 'peer_connected'; side: Side; session_guid: string }
  | { type: 'peer_not_connected'; side: Side; session_guid: string }
  | ({ type: 'reported'; side: Side } & PeerReport)
  /** One of the sockets closed or stopped answering pings. */
  | { type: 'socket_lost'; side: Side }
  /** The same, because another tab of the same user took over. */
  | { type: 'taken_over'; side: Side }
  /** The main socket is authenticated and the signaling socket has joined again. */
  | { type: 'socket_restored'; side: Side }
  /** `available_units`: what the guy could spend, including this call's hold and the seconds that are not posted yet. */
  | { type: 'private_requested'; side: Side; available_units: bigint }
  | { type: 'private_answered'; side: Side; accept: boolean; available_units: bigint }
  /** Whether this side agrees to go on while the girl's camera is off. */
  | { type: 'sound_only_answered'; side: Side; agree: boolean }
  /** The girl switched the break after this call on or off. */
  | { type: 'break_changed'; on: boolean }
  /** `break` comes from the girl, `next` from the guy. */
  | { type: 'left'; side: Side; break?: boolean; next?: boolean }
  | { type: 'ended_by_staff'; reason: StaffReason }
  /** Result of `open_hold` and `renew_hold`: this many seconds from `from_seconds` on are held. */
  | { type: 'hold_renewed'; seconds: number }
  | { type: 'hold_refused' }
  /** The guy's balance grew. */
  | { type: 'funds_added' }
  /** Another server process has read the call after a crash or restart; the call is what its row says. */
  | { type: 'server_restarted' }
  /** After that it listens: the grace time begins now, because no page could return earlier. */
  | { type: 'server_ready' }
  /** `wake_at` has come. */
  | { type: 'wake_up' }

/** Cumulative totals of a call, so that rounding never drifts: each posting is the difference to the previous totals. */
export interface CallTotals {
  paid_seconds: number
  his_units: bigint
  her_units: bigint
}

/** The content of close_session for one side, without the balance. Amounts are units. */
export interface CallReceipt {
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

/** `spent` and `earned` are totals up to now; the difference to the posted totals is not posted yet. */
export interface CallMeterReading {
  phase: MeterPhase
  why: PauseReason | null
  phase_since: Temporal.Instant
  paid_seconds: number
  spent: bigint
  earned: bigint
  /** When money or quota ends, once that is certain. */
  ends_at: Temporal.Instant | null
}

/** A hold for `seconds` from `from_seconds` on costs `units`; it covers fewer whole seconds if the guy cannot afford all. */
export interface HoldRequest {
  from_seconds: number
  seconds: number
  units: bigint
}

export type PrivateRefusal = 'no_balance' | 'user_offline' | 'too_many' | 'pair_over' | 'not_found'

/**
 * Why a call flags the guy. His reports contradicted the girl's reports, no report came, or his socket was
 * lost again and again.
 */
export type FlagReason = 'contradiction' | 'never_reported' | 'loss'

export type CallCommand =
  /** The action behind this event is refused; nothing follows except what became due by time. */
  | { type: 'refuse'; name: PrivateRefusal; missing_units?: bigint; retry_after_seconds?: number }
  /** The first hold. The result comes back as `hold_renewed` or `hold_refused` in the same transaction. */
  | ({ type: 'open_hold' } & HoldRequest)
  /** Post usage up to `post`, and keep the hold with the cost of the next seconds. The result comes back as for `open_hold`. */
  | ({ type: 'renew_hold'; post: CallTotals } & HoldRequest)
  /** At the end: post what is not posted yet and void the rest of the hold. */
  | { type: 'post_usage'; post: CallTotals }
  | { type: 'use_free_start' }
  /** This many more seconds of the guy's free quota are used. */
  | { type: 'use_quota'; seconds: number }
  | { type: 'notify_meter'; reading: CallMeterReading }
  /** The other side learns what this side sends. */
  | { type: 'notify_media'; of: Side }
  /** This side switched a device: for staff. */
  | { type: 'record_media'; of: Side; audio: boolean; video: boolean }
  | { type: 'notify_sound_only' }
  /** new_session to both: the call opened, or changed. */
  | { type: 'notify_new_session' }
  /** The call became private: other modules learn of it. */
  | { type: 'publish_private' }
  /** The private request is open: the content of the requester's acknowledgement. */
  | { type: 'acknowledge_request'; by: Side; expires_at: Temporal.Instant }
  | { type: 'notify_private_request'; to: Side; expires_at: Temporal.Instant }
  | { type: 'notify_private_closed'; to: Side; reason: 'declined' | 'expired' }
  /** The reports of the guy contradict those of the girl, or are missing: for staff. */
  | { type: 'flag'; about: FlagReason }
  | {
      type: 'close'
      reason: CloseReason
      guy: CallReceipt
      girl: CallReceipt
      /** The sides that go back into search if they are still connected. */
      requeue: Side[]
      /** The girl's break begins: she stays out of search. */
      begin_break: boolean
    }
  /** To the guy, so that his page offers a refill together with this girl. */
  | { type: 'refill_balance'; last_interlocutor: number }

/** A decision in progress: a copy of the call that may be changed, and the commands so far. */
export interface CallDraft {
  call: Call
  commands: CallCommand[]
  now_ms: number
  rules: CallRules
  /** The meter reading changed in a way that its phase does not show. */
  notify: boolean
  /** The hold must follow a new price. */
  renew: boolean
}
