import type { CloseReason } from '@duet/protocol/contracts/calls.ts'
import type { DataMode, MeterPhase, PauseReason } from '@duet/protocol/kernel/entities.ts'

/**
 * A video call from its opening to its receipt, as data: the record of one row. Only `decide.ts` decides
 * what a call does next.
 *
 * `guy`, `girl`, `paused` and `ask` are JSON columns, whose times are epoch milliseconds. All other fields
 * are plain columns: numbers, bigint amounts, instants.
 */

export type Side = 'guy' | 'girl'
export type StaffReason = Extract<CloseReason, 'complaint' | 'banned' | 'moderator'>

/** Durations of the rules, made from settings by `callRules`. */
export interface CallRules {
  media_timeout_ms: number
  partner_grace_ms: number
  meter_no_frames_ms: number
  meter_no_report_ms: number
  meter_pause_row_ms: number
  meter_pause_total_ms: number
  /** How much proven contradiction ends a call, and for how long the girl's camera may be off. */
  contradiction_end_ms: number
  camera_off_end_ms: number
  /** How often each page reports. */
  report_ms: number
  /** The longest time without a `meter` event while the guy pays. */
  meter_interval_ms: number
  hold_seconds: number
  hold_renew_seconds: number
  private_ask_ms: number
  private_ask_again_ms: number
  /** The seconds that the guy must be able to pay at the private price, when the request is made and when it is accepted. */
  private_minimum_seconds: number
}

export interface CallParty {
  /** The party came from search, so it may be put back into search. */
  from_search: boolean
  joined: boolean
  /** PEER_CONNECTED and PEER_NOT_CONNECTED were received for the current `session_guid`. */
  connected: boolean
  failed: boolean
  /** The other camera may flow, and the page did not say yet that it is connected. Older rows lack it. */
  reached?: boolean
  prepared?: boolean // The connection: the other camera may flow without `reached`.
  /** Since when one of the sockets is missing. */
  gone_at_ms: number | null
  /** When the sockets were last complete again; rows of calls that opened before this field existed do not have it. */
  returned_at_ms?: number | null
  gone_ms?: number // Of the running call, without the current loss of a socket. Older rows lack it.
  taken_over: boolean
  /** The last PEER_STATE, and the last that supports payment: his has a new frame from her, hers has her camera on. */
  reported_at_ms: number | null
  good_at_ms: number | null
  frames_decoded: number
  frames_sent: number
  reports_received: number
  /** Undefined before the first report. */
  audio?: boolean
  data_mode?: DataMode
  media_changes?: number
  weak?: boolean
  /** This side agrees to go on while the girl's camera is off. */
  sound_only?: boolean
  video: boolean
  video_off_at_ms: number | null
  /** The last stretch for which the girl's reports prove that the guy receives; null for the guy. */
  proof_from_ms: number | null
  proof_at_ms: number | null
  ask_again_at_ms: number
}

/** `ms` is null while the pause lasts. */
export interface CallPause {
  from_ms: number
  ms: number | null
  why: PauseReason
}

export interface PrivateRequest {
  by: Side
  expires_at_ms: number
}

export interface Call {
  session_id: number
  session_guid: string
  guy_id: number
  girl_id: number
  kind: 'random' | 'direct'
  state: 'public' | 'private'
  status: 'waiting' | 'running' | 'closed'
  opened_at: Temporal.Instant
  /** When both sides had reported PEER_CONNECTED: the zero of the meter. */
  connected_at: Temporal.Instant | null
  closed_at: Temporal.Instant | null
  reason: CloseReason | null
  /** A minute's price in diamond units and a minute's reward in coin units, fixed at the opening. */
  price_public: bigint
  price_private: bigint
  earn_public: bigint
  earn_private: bigint
  /** Free seconds and quota seconds that the guy may use before paying. */
  free_seconds: number
  quota_seconds: number
  /** Good seconds completed when the call became private; null while it is public. */
  private_from: number | null
  /** When it became private; null while it is public. */
  private_at: Temporal.Instant | null
  /** Good time that the reports of both sides confirm, up to `last_round_at`. A meter tick stores this and the next five fields. */
  good_ms: number
  last_round_at: Temporal.Instant | null
  free_used: number
  quota_used: number
  paid_seconds: number
  phase: MeterPhase | null
  phase_since: Temporal.Instant | null
  why: PauseReason | null
  /** The posted paid seconds, and the paid seconds that the posted seconds and the hold cover together. */
  posted_seconds: number
  funded_seconds: number
  /** Quota seconds already taken from the guy's quota. */
  quota_taken: number
  /** When a hold was requested whose result is not applied yet. */
  hold_asked_at: Temporal.Instant | null
  /** The last hold request added nothing: no further request before funds are added. */
  hold_dry: boolean
  break_set: boolean
  /** The guy left and wants to be put back into search at once. */
  guy_next: boolean
  flagged: boolean
  guy: CallParty
  girl: CallParty
  paused: CallPause[]
  ask: PrivateRequest | null
  /** False when the guy's word does not count today: the girl's proof runs the meter. Fixed at the opening. */
  guy_trusted: boolean
  /** Time for which the reports of the two contradict each other, and up to when it is counted. */
  contradicted_ms: number
  contradicted_until: Temporal.Instant | null
  /**
   * Time with broken media while both are present: the sum of earlier stretches, and the start of the
   * current stretch.
   */
  broken_ms: number
  broken_since: Temporal.Instant | null
  media_due_at: Temporal.Instant
  /** The deadline for both sides to return after a server restart. */
  server_until: Temporal.Instant | null
  /** When the last `meter` event was sent. */
  meter_sent_at: Temporal.Instant | null
  /** When something becomes due by time alone. */
  wake_at: Temporal.Instant | null
}

/** The data that opens a call. `free_start`: both the pair and the guy still have a free start today. */
export interface CallOpening {
  session_id: number
  session_guid: string
  /** The guid is that of a connection that both pages have prepared: her camera flows at once. */
  is_prepared?: boolean
  guy_id: number
  girl_id: number
  kind: 'random' | 'direct'
  guy_from_search: boolean
  girl_from_search: boolean
  price_public: bigint
  price_private: bigint
  earn_public: bigint
  earn_private: bigint
  paid_after: number
  free_start: boolean
  guy_trusted: boolean
  /** The rest of the guy's free quota; it counts in public random calls only. */
  quota_seconds: number
  funded_seconds?: number // Paid seconds that a hold covers already.
}

function createParty(fromSearch: boolean, prepared = false): CallParty {
  return {
    from_search: fromSearch,
    joined: false,
    connected: false,
    failed: false,
    prepared,
    gone_at_ms: null,
    returned_at_ms: null,
    gone_ms: 0,
    taken_over: false,
    reported_at_ms: null,
    good_at_ms: null,
    frames_decoded: 0,
    frames_sent: 0,
    reports_received: 0,
    video: true,
    video_off_at_ms: null,
    proof_from_ms: null,
    proof_at_ms: null,
    ask_again_at_ms: 0,
  }
}

/** The record of a call that opens now, before any decision. The module calls `openCall` of decide.ts instead. */
export function createCall(opening: CallOpening, now: Temporal.Instant, rules: CallRules): Call {
  const { is_prepared, guy_from_search, girl_from_search, ...rest } = opening
  const { paid_after, free_start, quota_seconds, ...fixed } = rest
  const isDirect = opening.kind === 'direct'
  return {
    ...fixed,
    state: isDirect ? 'private' : 'public',
    status: 'waiting',
    opened_at: now,
    connected_at: null,
    closed_at: null,
    reason: null,
    free_seconds: free_start ? Math.floor(paid_after) : 0,
    quota_seconds: isDirect ? 0 : Math.floor(quota_seconds),
    private_from: isDirect ? 0 : null,
    private_at: isDirect ? now : null,
    good_ms: 0,
    last_round_at: null,
    free_used: 0,
    quota_used: 0,
    paid_seconds: 0,
    phase: null,
    phase_since: null,
    why: null,
    posted_seconds: 0,
    funded_seconds: opening.funded_seconds ?? 0,
    quota_taken: 0,
    hold_asked_at: null,
    hold_dry: false,
    break_set: false,
    guy_next: false,
    flagged: false,
    guy: createParty(guy_from_search, is_prepared),
    girl: createParty(girl_from_search),
    paused: [],
    ask: null,
    contradicted_ms: 0,
    contradicted_until: null,
    broken_ms: 0,
    broken_since: null,
    media_due_at: now.add({ milliseconds: rules.media_timeout_ms }),
    server_until: null,
    meter_sent_at: null,
    wake_at: null,
  }
}

type CallParties = Pick<Call, 'guy_id' | 'girl_id'>

/** The user's side in this call, or undefined if the user is not a party to it. */
export function findSide(call: CallParties, userId: number): Side | undefined {
  if (call.guy_id === userId) return 'guy'
  return call.girl_id === userId ? 'girl' : undefined
}

export function getUserId(call: CallParties, side: Side): number {
  return side === 'guy' ? call.guy_id : call.girl_id
}
