/**
 * A video session from opening to receipt, as data: the record that lives in one row, what may happen to it, and what
 * is to be done about it. `rules.ts` decides; nobody else knows what a call may do next.
 *
 * `guy`, `girl`, `paused`, `ask` and `doubt` are JSON columns (their times are epoch milliseconds); all other fields
 * are plain columns: numbers, bigint amounts, instants.
 */

export type Side = 'guy' | 'girl'
export type Phase = 'free' | 'quota' | 'paid' | 'paused'
export type PauseReason = 'no_frames' | 'no_report' | 'gone' | 'camera_off' | 'server'
export type StaffReason = 'complaint' | 'banned' | 'moderator'
export type CloseReason =
  | StaffReason
  | 'left'
  | 'break'
  | 'no_balance'
  | 'partner_lost'
  | 'not_connected'
  | 'media_lost'
  | 'new_tab'
  | 'server'

// What wire.md promises to clients, so no setting.
const METER_TELL_MS = 10_000

/** Durations of the rules; made of settings by `videoRules`. */
export type VideoRules = {
  media_timeout_ms: number
  partner_grace_ms: number
  meter_no_frames_ms: number
  meter_no_report_ms: number
  meter_pause_row_ms: number
  meter_pause_total_ms: number
  /** Longest time without a `meter` event while he pays. */
  meter_tell_ms: number
  hold_seconds: number
  hold_renew_seconds: number
  private_ask_ms: number
  private_ask_again_ms: number
  /** What he must be able to pay at the private price, at the asking and at the accepting. */
  private_minimum_seconds: number
}

export type Party = {
  /** Came from search, so may be put back. */
  from_search: boolean
  joined: boolean
  /** Reported PEER_CONNECTED, PEER_NOT_CONNECTED, of the present `session_guid`. */
  connected: boolean
  failed: boolean
  /** Since when a socket is missing. */
  gone_at_ms: number | null
  taken_over: boolean
  /** Last PEER_STATE, and the last one that speaks for the call: his with a new frame of hers, hers with her camera on. */
  reported_at_ms: number | null
  good_at_ms: number | null
  frames_decoded: number
  frames_sent: number
  reports_received: number
  video: boolean
  ask_again_at_ms: number
}

/** `ms` is null while it lasts. */
export type Pause = { from_ms: number; ms: number | null; why: PauseReason }
export type Ask = { by: Side; expires_at_ms: number }
/** Her counters when his page stopped seeing frames: if both rise while he still reports, his word is doubtful. */
export type Doubt = { since_ms: number; frames_sent: number; reports_received: number }

export type Call = {
  session_id: number
  session_guid: string
  guy_id: number
  girl_id: number
  kind: 'random' | 'direct'
  state: 'public' | 'private'
  status: 'waiting' | 'running' | 'closed'
  opened_at: Temporal.Instant
  /** When both had reported PEER_CONNECTED: the clock's zero. */
  connected_at: Temporal.Instant | null
  closed_at: Temporal.Instant | null
  reason: CloseReason | null
  /** A minute's price in diamond units and a minute's reward in coin units, fixed at the opening. */
  price_public: bigint
  price_private: bigint
  earn_public: bigint
  earn_private: bigint
  /** What he may use of each before he pays. */
  free_seconds: number
  quota_seconds: number
  /** Good seconds completed when it became private; null while public. */
  private_from: number | null
  /** Good time that both sides' reports bear out, up to `last_round_at`. This and the next six are what a round stores. */
  good_ms: number
  last_round_at: Temporal.Instant | null
  free_used: number
  quota_used: number
  paid_seconds: number
  phase: Phase | null
  phase_since: Temporal.Instant | null
  why: PauseReason | null
  /** Paid seconds that are posted, and those that posted ones and the hold cover together. */
  posted_seconds: number
  funded_seconds: number
  /** Quota seconds already taken from his account. */
  quota_taken: number
  /** When a hold was asked for that was not answered yet. */
  hold_asked_at: Temporal.Instant | null
  /** The last answer brought nothing more: not asked again before money came. */
  hold_dry: boolean
  break_set: boolean
  flagged: boolean
  guy: Party
  girl: Party
  paused: Pause[]
  ask: Ask | null
  doubt: Doubt | null
  /** Media broken with both present: earlier stretches together, and since when now. */
  broken_ms: number
  broken_since: Temporal.Instant | null
  media_due_at: Temporal.Instant
  /** Until when both must be back after a restart of the server. */
  server_until: Temporal.Instant | null
  told_at: Temporal.Instant | null
  /** When something may become due by time alone; a timer that survives a restart. */
  wake_at: Temporal.Instant | null
}

/** What is known when a call opens. `free_start`: neither this pair's nor his free starts of the day are used up. */
export type Opening = {
  session_id: number
  session_guid: string
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
  /** What is left of his free quota; counts in public random video only. */
  quota_seconds: number
}

function newParty(from_search: boolean): Party {
  return {
    from_search,
    joined: false,
    connected: false,
    failed: false,
    gone_at_ms: null,
    taken_over: false,
    reported_at_ms: null,
    good_at_ms: null,
    frames_decoded: 0,
    frames_sent: 0,
    reports_received: 0,
    video: true,
    ask_again_at_ms: 0,
  }
}

/** The record of a call that opens now, before anything was decided; `openCall` in rules.ts is what the module calls. */
export function newCall(opening: Opening, now: Temporal.Instant, rules: VideoRules): Call {
  const { guy_from_search, girl_from_search, paid_after, free_start, quota_seconds, ...fixed } =
    opening
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
    good_ms: 0,
    last_round_at: null,
    free_used: 0,
    quota_used: 0,
    paid_seconds: 0,
    phase: null,
    phase_since: null,
    why: null,
    posted_seconds: 0,
    funded_seconds: 0,
    quota_taken: 0,
    hold_asked_at: null,
    hold_dry: false,
    break_set: false,
    flagged: false,
    guy: newParty(guy_from_search),
    girl: newParty(girl_from_search),
    paused: [],
    ask: null,
    doubt: null,
    broken_ms: 0,
    broken_since: null,
    media_due_at: now.add({ milliseconds: rules.media_timeout_ms }),
    server_until: null,
    told_at: null,
    wake_at: null,
  }
}

/** The other party. */
export function otherSide(side: Side): Side {
  return side === 'guy' ? 'girl' : 'guy'
}

/** Rules of a call from the settings of the same names, in seconds. */
export function videoRules(settings: {
  media_timeout: number
  partner_grace: number
  meter_no_frames: number
  meter_no_report: number
  meter_pause_row: number
  meter_pause_total: number
  hold_seconds: number
  hold_renew: number
  private_ask_seconds: number
  private_ask_again: number
  private_reserve: number
}): VideoRules {
  return {
    media_timeout_ms: settings.media_timeout * 1000,
    partner_grace_ms: settings.partner_grace * 1000,
    meter_no_frames_ms: settings.meter_no_frames * 1000,
    meter_no_report_ms: settings.meter_no_report * 1000,
    meter_pause_row_ms: settings.meter_pause_row * 1000,
    meter_pause_total_ms: settings.meter_pause_total * 1000,
    meter_tell_ms: METER_TELL_MS,
    hold_seconds: Math.max(1, Math.floor(settings.hold_seconds)),
    hold_renew_seconds: Math.floor(settings.hold_renew),
    private_ask_ms: settings.private_ask_seconds * 1000,
    private_ask_again_ms: settings.private_ask_again * 1000,
    private_minimum_seconds: Math.floor(settings.private_reserve),
  }
}
