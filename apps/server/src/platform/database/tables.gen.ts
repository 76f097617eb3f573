// Made by generate.ts from the migrations. Do not edit.
import type { Generated, GeneratedAlways } from 'kysely'

export interface AbsencesTable {
  id: GeneratedAlways<number>
  user_id: number
  kind: string
  at: Temporal.Instant
}

export interface AccountsTable {
  id: bigint
  user_id: GeneratedAlways<number | null>
  house: GeneratedAlways<string | null>
  asset: GeneratedAlways<string>
  balance: Generated<bigint>
  held: Generated<bigint>
}

export interface BalanceNoticesTable {
  id: GeneratedAlways<number>
  user_id: number
  reason: string
  told_at: Temporal.Instant
  got_at: Temporal.Instant | null
}

export interface BlocksTable {
  owner_id: number
  blocked_id: number
  at: Temporal.Instant
}

export interface CallFlagsTable {
  id: GeneratedAlways<number>
  session_id: number
  user_id: number
  about: string
  at: Temporal.Instant
}

export interface CastMembersTable {
  name: string
  user_id: number
}

export interface ChangeHeadsTable {
  user_id: number
  head: number
}

export interface ChangesTable {
  user_id: number
  change_id: number
  event: string
  payload: unknown
  at: Temporal.Instant
}

export interface EmailProbesTable {
  address: string
  day: Temporal.PlainDate
  tries: number
}

export interface FavouritesTable {
  id: GeneratedAlways<number>
  owner_id: number
  user_id: number
  at: Temporal.Instant
}

export interface FreeQuotasTable {
  user_id: number
  seconds: number
}

export interface FreeStartsTable {
  guy_id: number
  day: Temporal.PlainDate
  girl_id: number
  uses: number
}

export interface HoldStepKeysTable {
  key: string
  at: Temporal.Instant
}

export interface HoldStepsTable {
  key: string
  hold_id: number
  change: bigint
  asked: unknown
  answer: unknown
  at: Temporal.Instant
}

export interface HoldsTable {
  id: GeneratedAlways<number>
  account_id: bigint
  asset: string
  held: bigint
  posted: Generated<bigint>
  state: Generated<string>
  what: string
  cause: string
  cause_id: number | null
  opened_at: Temporal.Instant
  closed_at: Temporal.Instant | null
}

export interface IdempotentAnswersTable {
  user_id: number
  key: string
  request_hash: Buffer
  claim: string
  claimed_until: Temporal.Instant
  answer: unknown
  created_at: Temporal.Instant
}

export interface JobPeriodsTable {
  job: string
  period: string
  done_at: Temporal.Instant
}

export interface LoginsTable {
  id: GeneratedAlways<number>
  user_id: number
  token_hash: Buffer
  generation: Generated<number>
  created_at: Temporal.Instant
  used_at: Temporal.Instant
  ended_at: Temporal.Instant | null
}

export interface MediaTable {
  id: string
  owner_id: number
  product: string
  kind: string
  width: number
  height: number
  status: string
  reason: string | null
  created_at: Temporal.Instant
}

export interface MeetingsTable {
  guy_id: number
  girl_id: number
  at: Temporal.Instant
}

export interface OutboxTable {
  outbox_id: GeneratedAlways<number>
  kind: string
  key: string | null
  payload: unknown
  attempts: Generated<number>
  created_at: Generated<Temporal.Instant>
  due_at: Generated<Temporal.Instant>
  done_at: Temporal.Instant | null
  dead_at: Temporal.Instant | null
  last_error: string | null
}

export interface PairsTable {
  pair_id: string
  kind: string
  guy_id: number
  girl_id: number
  state: string
  reason: string | null
  free_seconds: number
  guy_answer: string | null
  girl_answer: string | null
  guy_waiting_since: Temporal.Instant
  girl_waiting_since: Temporal.Instant
  guy_locales: string[]
  girl_locales: string[]
  missed_before: number
  opened_at: Temporal.Instant
  wake_at: Temporal.Instant | null
  closed_at: Temporal.Instant | null
  owner_id: number | null
  fence: Generated<number>
  version: Generated<number>
}

export interface PartitionedTablesTable {
  name: string | null
  time_column: string | null
}

export interface ProcessOwnersTable {
  owner_id: number
  started_at: Temporal.Instant
  lease_until: Temporal.Instant
}

export interface RetentionRunsTable {
  rule: string
  ran_at: Temporal.Instant
  keep_days: number
  deleted: number
  is_complete: boolean
  error: string | null
}

export interface SchemaMigrationsTable {
  number: number
  name: string
  checksum: string
  applied_at: Generated<Temporal.Instant>
}

export interface SearchRestsTable {
  user_id: number
  on_break: Generated<boolean>
  paused_until: Temporal.Instant | null
  missed_offers: Generated<number>
  missed_out: Generated<boolean>
}

export interface SessionLogsTable {
  id: GeneratedAlways<number>
  session_id: number
  user_id: number
  level: string
  text: string
  at: Temporal.Instant
}

export interface SessionTextsTable {
  text_id: Generated<number>
  call_opened_at: Temporal.Instant
  session_id: number
  sender_id: number
  id: string
  text: string
  original: string | null
  create_time: Temporal.Instant
}

export interface SettingsTable {
  key: string
  value: unknown
  changed_at: Temporal.Instant
  changed_by: string
}

export interface TransferKeysTable {
  key: string
  asked: Buffer
}

export interface TransfersTable {
  id: Generated<number>
  at: Temporal.Instant
  debit_id: bigint
  credit_id: bigint
  amount: bigint
  hold_id: number | null
  cause_id: number | null
  asset: string
  what: string
  cause: string
  key: string
  note: string | null
}

export interface UsersTable {
  id: number
  role: string | null
  declared_role: string | null
  nick: string | null
  email: string | null
  password_hash: string | null
  birthday: Temporal.PlainDate | null
  about: Generated<string>
  phone: string | null
  show_country: Generated<boolean>
  country: string | null
  locale: Generated<string>
  theme: Generated<string>
  ref_code: string | null
  referred_by: number | null
  signature: string | null
  usdt_wallet: string | null
  age_confirmed_at: Temporal.Instant | null
  terms_version: string | null
  email_confirmed_at: Temporal.Instant | null
  premium_until: Temporal.Instant | null
  verified_at: Temporal.Instant | null
  noty_email: Generated<boolean>
  noty_push: Generated<boolean>
  noty_premium_guest: Generated<boolean>
  noty_wanted_girl: Generated<boolean>
  safe_video: Generated<boolean>
  auto_accept: Generated<boolean>
  available: Generated<boolean>
  hide_countries: Generated<string[]>
  quiet_hours: unknown
  premium_calls_only: Generated<boolean>
  default_pay_system: string | null
  fingerprint: string | null
  created_at: Temporal.Instant
  registered_at: Temporal.Instant | null
  last_visit: Temporal.Instant | null
  erased_at: Temporal.Instant | null
  favourites_count: Generated<number>
  avatar_id: string | null
}

export interface VideoSessionsTable {
  session_id: number
  session_guid: string
  guy_id: number
  girl_id: number
  kind: string
  state: string
  status: string
  opened_at: Temporal.Instant
  connected_at: Temporal.Instant | null
  closed_at: Temporal.Instant | null
  reason: string | null
  price_public: bigint
  price_private: bigint
  earn_public: bigint
  earn_private: bigint
  free_seconds: number
  quota_seconds: number
  private_from: number | null
  good_ms: number
  last_round_at: Temporal.Instant | null
  free_used: number
  quota_used: number
  paid_seconds: number
  phase: string | null
  phase_since: Temporal.Instant | null
  why: string | null
  posted_seconds: number
  funded_seconds: number
  quota_taken: number
  hold_asked_at: Temporal.Instant | null
  hold_dry: boolean
  break_set: boolean
  flagged: boolean
  guy: unknown
  girl: unknown
  paused: unknown
  ask: unknown
  doubt: unknown
  broken_ms: number
  broken_since: Temporal.Instant | null
  media_due_at: Temporal.Instant
  server_until: Temporal.Instant | null
  told_at: Temporal.Instant | null
  wake_at: Temporal.Instant | null
  hold_id: number | null
  held_units: Generated<bigint>
  posted_his: Generated<bigint>
  posted_hers: Generated<bigint>
  money_step: Generated<number>
  owner_id: number | null
  fence: Generated<number>
  version: Generated<number>
}

export interface Tables {
  absences: AbsencesTable
  accounts: AccountsTable
  balance_notices: BalanceNoticesTable
  blocks: BlocksTable
  call_flags: CallFlagsTable
  cast_members: CastMembersTable
  change_heads: ChangeHeadsTable
  changes: ChangesTable
  email_probes: EmailProbesTable
  favourites: FavouritesTable
  free_quotas: FreeQuotasTable
  free_starts: FreeStartsTable
  hold_step_keys: HoldStepKeysTable
  hold_steps: HoldStepsTable
  holds: HoldsTable
  idempotent_answers: IdempotentAnswersTable
  job_periods: JobPeriodsTable
  logins: LoginsTable
  media: MediaTable
  meetings: MeetingsTable
  outbox: OutboxTable
  pairs: PairsTable
  partitioned_tables: PartitionedTablesTable
  process_owners: ProcessOwnersTable
  retention_runs: RetentionRunsTable
  schema_migrations: SchemaMigrationsTable
  search_rests: SearchRestsTable
  session_logs: SessionLogsTable
  session_texts: SessionTextsTable
  settings: SettingsTable
  transfer_keys: TransferKeysTable
  transfers: TransfersTable
  users: UsersTable
  video_sessions: VideoSessionsTable
}

/** The names of all columns of the domain units. */
export const AMOUNT_COLUMNS: ReadonlySet<string> = new Set([
  'amount',
  'balance',
  'change',
  'earn_private',
  'earn_public',
  'held',
  'held_units',
  'posted',
  'posted_hers',
  'posted_his',
  'price_private',
  'price_public',
])
