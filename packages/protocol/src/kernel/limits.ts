/**
 * Everything has a limit with a name and a unit. These are the limits of the wire. Values that the business
 * decides (prices, quotas, waiting times) are in the settings table and reach clients through
 * `getSettings`.
 */
export const limits = {
  // Packets and sockets
  main_transport_bytes: 128 * 1024,
  signal_transport_bytes: 256 * 1024,
  main_packet_bytes: 64 * 1024,
  signal_packet_bytes: 128 * 1024,
  unreadable_packets_a_minute: 10,
  json_depth: 12,
  /** Keys and array elements of one request, in all. */
  json_entries: 1000,
  main_actions_a_second: 20,
  main_actions_burst: 40,
  signal_events_a_second: 50,
  signal_events_burst: 150,
  /** Exceeding the rate this many times closes the socket instead of answering `too_many`. */
  flood_factor: 10,
  /** Bytes that a socket may send at once and each second; more closes it. A page that sends its burst of actions has room. */
  transport_bytes_burst: 8 * 1024 * 1024,
  transport_bytes_a_second: 1024 * 1024,
  slow_reader_bytes: 256 * 1024,
  auth_wait_seconds: 10,
  auth_wait_after_captcha_seconds: 120,
  guest_hours: 24,
  /** Days after a request to delete an account in which logging in takes it back. */
  deletion_days: 14,
  ping_seconds: 5,
  ping_timeout_seconds: 5,
  cipher_iv_bytes: 12,
  cipher_tag_bytes: 16,
  cipher_key_bytes: 32,

  // Client's reconnecting
  reconnect_ms: 3000,
  reconnect_forced_ms: 500,
  signal_timeout_ms: 10_000,
  chunk_timeout_ms: 120_000,

  // HTTP
  http_body_bytes: 256 * 1024,
  http_headers_seconds: 10,
  http_body_seconds: 30,
  /** The whole of a form with files that never stops: a video of 50 MB on a slow network. */
  http_upload_seconds: 1800,
  /** Slower uploads are ended. The slowest mobile networks send twice as much. */
  http_upload_bytes_a_second: 2048,
  idempotency_key_characters: 128,
  media_url_seconds: 300,
  media_urls: 100,
  page_items: 20,
  page_items_max: 50,
  page_max: 1_000_000,
  /** Rows on the pages that are asked for by their numbers, in a list that has `after`. Later rows are read by `after`. */
  numbered_rows: 1000,
  recovery_key_minutes: 10,
  recovery_mails_an_hour: 3,

  // Text: characters after NFC
  nick_characters_min: 3,
  nick_characters: 40,
  about_characters: 2000,
  password_characters_min: 8,
  password_characters: 256,
  email_characters: 320,
  phone_characters: 32,
  /** Combining marks in a row: normalising takes quadratic time in them, and no script needs more. */
  marks_in_a_row: 10,
  time_characters: 40,
  message_characters: 1000,
  /** The form of a method of payment, as JSON. */
  payment_form_characters: 4000,
  comment_characters: 2000,
  texts_translated: 10,
  ban_hours: 87_600,
  cool_off_hours: 8_784,
  seal_reason_characters: 500,
  ticket_characters: 5000,
  title_characters: 120,
  query_characters: 100,
  /** Fields that a named refusal judges are taken up to here, so that "too long" gets its own code. */
  judged_characters: 10_000,
  random_id_characters: 64,
  token_characters: 512,
  ref_code_characters: 32,
  url_characters: 4096,
  name_characters: 64,
  sdp_bytes: 64 * 1024,
  candidate_characters: 2048,
  log_bytes: 2 * 1024,
  logs_a_minute: 60,

  // Lists inside one request
  subscriptions: 200,
  read_messages: 200,
  changes: 200,
  dialogs: 50,
  dialog_messages: 50,
  /** Pages by number: older messages are read by `before`, which costs the same at any depth. */
  dialog_pages: 200,
  session_texts: 50,
  hidden_countries: 250,
  /** Keys of one object whose keys the sender chooses. */
  chosen_keys: 100,
  kept_signals: 100,
  /** Different candidates that a side may send for one `session_guid`. */
  candidates: 50,
  /**
   * Candidates that are forwarded for a `session_guid`, including repeated candidates: a page may restart
   * ICE a few times.
   */
  forwarded_candidates: 200,
  kept_signal_seconds: 60,
  change_days: 30,

  // Files
  avatar_bytes: 2 * 1024 * 1024,
  image_bytes: 10 * 1024 * 1024,
  /** A sampled frame of a camera. */
  frame_bytes: 128 * 1024,
  video_bytes: 50 * 1024 * 1024,
  passport_bytes: 10 * 1024 * 1024,
  image_megapixels: 40,

  // Quality monitoring
  quality_body_bytes: 64 * 1024,
  quality_calls_a_second: 20,
  quality_calls_burst: 60,
  /** Stored for one side of a call; of a listed user the reports are stored as they came. */
  quality_session_bytes: 5 * 1024 * 1024,
  quality_watched_session_bytes: 100 * 1024 * 1024,
  quality_version_characters: 16,
  quality_report_days: 30,
  quality_meta_keys: 5,
  quality_event_bytes: 2048,
  camera_log_bytes: 16 * 1024,
  quality_stats_ms: 7000,
  quality_watched_stats_ms: 1000,

  age_years: 18,
  peer_state_ms: 2000,
  prepare_seconds: 30,
  turn_start_minutes: 10,
  id_max: Number.MAX_SAFE_INTEGER,
} as const

export type LimitName = keyof typeof limits
