import { limits } from '@duet/protocol'
import { z } from 'zod'
import { fromDecimal, type Asset } from '../../lib/money.ts'
import { SAMPLE_FORM } from '../../lib/payments/sample-form.ts'
import { COMPETITORS, FAST_PHRASES } from './default-words.ts'
import { isMaskableWord } from '../../lib/text-mask.ts'

/* Values that the business decides, with defaults (`docs/rules.md`). Readers convert the plain decimals of amounts to bigint units. */

/** A whole number of `unit`. */
const number = (fallback: number, unit: string, most = 1_000_000, least = 0) => ({
  schema: z.int().min(least).max(most),
  fallback,
  unit,
})
/** A number from 0 to 1. */
const share = (fallback: number) => ({ schema: z.number().min(0).max(1), fallback, unit: '0-1' })
const amount = (fallback: string, asset: Asset, unit: string) => ({
  schema: z
    .string()
    .regex(/^\d{1,9}(\.\d{1,8})?$/)
    .refine((decimal) => isExact(asset, decimal), 'finer than the smallest unit'),
  fallback,
  unit,
})
const onOff = (fallback: boolean) => ({ schema: z.boolean(), fallback, unit: 'on, off' })
const oneOf = <const Options extends readonly [string, ...string[]]>(
  options: Options,
  fallback: Options[number],
) => ({
  schema: z.enum(options),
  fallback: fallback as Options[number],
  unit: options.join(', '),
})
/** A list, typed with commas; `none` is the empty list. */
const list = (fallback: readonly string[], unit: string, of: RegExp = /^[^,]{1,200}$/) => ({
  schema: z.array(z.string().regex(of)).max(100),
  fallback: [...fallback],
  unit,
})
/** A text of the form `of`. */
const word = (fallback: string, unit: string, of: RegExp) => ({
  schema: z.string().max(200).regex(of),
  fallback,
  unit,
})
/** Another default in the demo installation. */
const inDemo = <Definition extends { fallback: unknown }>(
  definition: Definition,
  demo: Definition['fallback'],
) => ({ ...definition, demo })
/** The form of a method of payment as JSON; `duet payments preview` explains its mistakes. */
const form = {
  schema: z.string().max(limits.payment_form_characters),
  fallback: 'none',
  unit: 'JSON',
}
const METHOD = /^[a-z][a-z0-9_]{1,30}$/
/** With a language in front, or for every language without phrases of its own. */
const PHRASE = /^(?:[a-z]{2}:)?[^,]{1,200}$/

function isExact(asset: Asset, decimal: string): boolean {
  try {
    return fromDecimal(asset, decimal) >= 0n
  } catch {
    return false
  }
}

/** A complaint about a call arrives days or weeks after it: what can prove it is kept for at least this long. */
const EVIDENCE_DAYS_MIN = 30
/** A user asks about a fault or a pause within days: the rows that explain it are kept for at least this long. */
const LOG_DAYS_MIN = 7

export const settings = {
  free_quota: number(60, 's'),
  quota_device_days: number(90, 'd', 3650, 1),
  login_tries_an_hour: number(5, 'failures of an account', 1000),
  network_login_tries_an_hour: number(30, 'failures'),
  searches_an_hour: number(120, 'searches of a user', 100_000, 1),
  email_tries_a_day: number(5, 'tries of a device'),
  network_email_tries_a_day: number(50, 'tries'),
  network_registrations_a_day: number(30, 'registrations'),
  device_registrations_a_day: number(3, 'registrations'),
  paid_after: number(10, 's'),
  price_public: amount('1', 'diamond', 'diamond/min'),
  price_private: amount('1.5', 'diamond', 'diamond/min'),
  earn_public: amount('50', 'coin', 'coin/min'),
  earn_private: amount('125', 'coin', 'coin/min'),
  free_messages_a_day: number(10, 'messages'),
  message_reward: amount('25', 'coin', 'coin'),
  gift_reward: amount('75', 'coin', 'coin/min of price'),
  coin_rate: number(1250, 'coin/USD', 1_000_000, 1),
  offer_seconds: number(10, 's', 600, 1),
  invite_seconds: number(30, 's', 600, 1),
  // Without a relay a preparation shows addresses before the acceptance: only tests prepare then.
  prepare_direct: onOff(false),
  preparations_max: number(2000, 'preparations', 100_000),
  ring_again: number(60, 's', 3600),
  rings_an_hour: number(3, 'rings of a caller to one user', 100, 1),
  unanswered_rings_a_day: number(60, 'rings of a caller', 1000, 1),
  ring_away_minutes: number(15, 'min', 1440),
  media_timeout: number(15, 's', 600, 1),
  partner_grace: number(10, 's', 600),
  search_grace: number(5, 's', 600),
  rematch_minutes: number(30, 'min'),
  // A trial often has two users only: they meet again at once.
  rematch_last_only: inDemo(number(8, 's'), 0),
  rematch_anyone: inDemo(number(20, 's'), 3),
  language_first: number(3, 's'),
  rank_lift: number(5, 's'),
  missed_offers: number(3, 'offers', 100),
  // Cameras of a trial often show a test picture. 0: no page looks for a face.
  face_absence: inDemo(number(20, 's', 600), 0),
  absence_pause: number(30, 'min'),
  absences_an_hour: number(3, 'absences', 100),
  hold_seconds: number(60, 's', 3600, 1),
  hold_renew: number(10, 's', 3600),
  meter_round: number(1, 's', 60, 1),
  meter_no_frames: number(3, 's', 60),
  meter_no_report: number(5, 's', 60),
  meter_pause_row: number(15, 's', 600),
  meter_pause_total: number(60, 's', 3600),
  fresh_guids: number(6, 'a minute and call', 600, 1),
  contradiction_end: number(10, 's', 600, 1),
  contradiction_partners: number(3, 'partners a day', 100, 1),
  camera_off_end: number(60, 's', 3600, 1),
  hint_after: number(90, 's', 3600, 1),
  hint_quiet: number(60, 's', 3600, 1),
  hint_again: number(180, 's', 3600, 1),
  free_starts_a_day: number(20, 'starts'),
  pair_free_start: number(1, 'a day'),
  private_ask_seconds: number(15, 's', 600, 1),
  private_ask_again: number(60, 's', 3600),
  private_reserve: number(60, 's', 3600),
  message_chars: number(1000, 'characters', limits.message_characters, 1),
  vanish_after: number(3600, 's'),
  translation_characters_a_day: number(20_000, 'characters of a user', 1_000_000),
  all_translation_characters_a_day: number(2_000_000, 'characters', 1_000_000_000),
  translation_days: number(30, 'd', 365, 1),
  reward_window: number(72, 'h'),
  premium_days: number(30, 'd'),
  referral_guest: number(15, '%', 100),
  referral_model: number(10, '%', 100),
  referral_guy: number(10, '%', 100),
  referral_hold_days: number(30, 'd', 365, 1),
  referral_visit_days: number(30, 'd', 3650, 1),
  referral_bonus: amount('30', 'diamond', 'diamond'),
  referral_bonus_at: amount('5000', 'coin', 'coin'),
  camscore_trial: number(7, 'd'),
  penalty_refund_coins: amount('20000', 'coin', 'coin'),
  penalty_refund_days: number(7, 'd'),
  nudity_end_score: share(0.92),
  upload_refuse: share(0.7),
  upload_review: share(0.4),
  uploads_max: number(200, 'files of a user', 10_000, 1),
  upload_megabytes_max: number(1000, 'MB of a user', 1_000_000, 1),
  removed_media_days: number(180, 'd', 3650, EVIDENCE_DAYS_MIN),
  image_check_days: number(180, 'd', 3650, LOG_DAYS_MIN),
  // Days that exist, so that a mistyped one is refused.
  public_holidays: { ...list([], 'dates like 2026-12-25'), schema: z.array(z.iso.date()).max(100) },
  report_days: number(365, 'd', 3650, EVIDENCE_DAYS_MIN),
  known_picture_days: number(1825, 'd', 36_500, EVIDENCE_DAYS_MIN),
  private_media_days: number(30, 'd', 3650, LOG_DAYS_MIN),
  frame_seconds: number(10, 's', 3600),
  frame_keep_hours: number(72, 'h'),
  session_log_days: number(14, 'd', 3650, LOG_DAYS_MIN),
  quality_days: number(90, 'd', 3650, LOG_DAYS_MIN),
  call_flag_days: number(180, 'd', 3650, EVIDENCE_DAYS_MIN),
  text_original_days: number(90, 'd', 3650, EVIDENCE_DAYS_MIN),
  pair_days: number(30, 'd', 3650, 1),
  meeting_days: number(7, 'd', 3650, 1),
  absence_days: number(30, 'd', 3650, LOG_DAYS_MIN),
  // The demo has guys of many countries, and no staff who check their documents.
  age_proof_countries: inDemo(
    list(
      ['GB', 'FR', 'DE', 'IT'],
      'countries, and states like US-TX',
      /^[A-Z]{2}(-[A-Z0-9]{1,3})?$/,
    ),
    [],
  ),
  age_proof_days: number(365, 'd', 3650, 1),
  kyc_documents: onOff(true),
  kyc_challenge_minutes: number(20, 'min', 24 * 60, 1),
  kyc_warn_days: list(['30', '7', '1'], 'd before the expiry', /^[1-9]\d{0,2}$/),
  kyc_renewal_days: number(60, 'd before the expiry', 365, 1),
  kyc_document_days: number(90, 'd after the decision', 3650),
  kyc_record_days: number(1825, 'd', 36_500, EVIDENCE_DAYS_MIN),
  profile_view_days: number(90, 'd', 3650, 1),
  deletion_record_days: number(730, 'd', 36_500, EVIDENCE_DAYS_MIN),
  login_idle_days: number(90, 'd', 3650, 1),
  logins_max: number(20, 'logins of a user', 1000, 1),
  ended_login_days: number(30, 'd', 3650, LOG_DAYS_MIN),
  staff_session_hours: number(12, 'h', 24, 1),
  staff_fresh_minutes: number(10, 'min', 60, 1),
  staff_claim_minutes: number(10, 'min', 120, 1),
  severe_cases_hour_max: number(12, 'severe cases of a moderator in an hour; 0: no limit', 1000),
  severe_cases_shift_max: number(40, 'severe cases of a moderator in 12 h; 0: no limit', 10_000),
  staff_break_minutes: number(50, 'min of deciding until a break; 0: none is suggested', 720),
  staff_looks_without_case_max: number(20, 'looks of staff without a case in an hour', 10_000, 1),
  staff_linked_looks_max: number(1, 'accounts linked to the own one that staff look at', 100, 1),
  moderator_penalty_coins: amount('5000', 'coin', 'coin'),
  manager_penalty_coins: amount('50000', 'coin', 'coin'),
  appeal_days: number(183, 'd', 3650, 183),
  moderator_ban_days: number(7, 'd', 365, 1),
  bulk_window_minutes: number(60, 'min', 1440, 1),
  bulk_bans_max: number(30, 'bans of a person in the window', 10_000, 1),
  bulk_penalties_max: number(30, 'penalties of a person in the window', 10_000, 1),
  bulk_removals_max: number(200, 'removed pictures of a person in the window', 10_000, 1),
  bulk_money_acts_max: number(50, 'grants and refunds of a person in the window', 10_000, 1),
  bulk_warnings_max: number(120, 'warnings and ended calls of a person in the window', 10_000, 1),
  bulk_lifts_max: number(30, 'lifted and undone acts of a person in the window', 10_000, 1),
  bulk_dismissals_max: number(
    150,
    'cases that a person closes without an act in the window',
    10_000,
    1,
  ),
  bulk_approvals_max: number(150, 'approved pictures of a person in the window', 10_000, 1),
  bulk_verifications_max: number(20, 'approved identities of a person in the window', 10_000, 1),
  bulk_passes_max: number(150, 'complaints that a person passes on in the window', 10_000, 1),
  staff_link_hours: number(24, 'h', 168, 1),
  face_matching: onOff(false),
  face_keep_days: number(365, 'd after the ban', 3650, 1),
  client_signal_days: number(180, 'd', 3650, 1),
  notice_days: number(90, 'd', 3650, 1),
  wanted_days: number(180, 'd', 3650, 1),
  balance_notice_days: number(90, 'd', 3650, 1),
  number_style: oneOf(['ru', 'locale'], 'ru'),
  first_writes_unanswered: number(3, 'messages'),
  likes_a_day: number(20, 'likes'),
  demo_grant: amount('15', 'diamond', 'diamond'),
  nsfw_gallery: onOff(false),
  content_policy: oneOf(['dating', 'adult'], 'dating'),
  discount_enabled: onOff(false),
  top_contest_enable: onOff(false),
  sale_bonus: list(['0', '5', '15', '45'], 'min', /^\d{1,4}$/),
  sale_until: word('none', 'time', /^(none|\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?Z)$/),
  // In this order; a method without credentials is off.
  payment_methods: list(
    [
      'verotel',
      'ccbill',
      'paysafecard',
      'cloudpayments',
      'fk',
      'crypto',
      'prime',
      'contact',
      'dafinci',
      'expay',
      'evypay',
      'payselect',
      'giftcard',
    ],
    'methods',
    METHOD,
  ),
  prime_form: inDemo(form, SAMPLE_FORM),
  contact_form: inDemo(form, SAMPLE_FORM),
  dafinci_form: inDemo(form, SAMPLE_FORM),
  expay_form: inDemo(form, SAMPLE_FORM),
  evypay_form: inDemo(form, SAMPLE_FORM),
  payselect_form: inDemo(form, SAMPLE_FORM),
  orders_an_hour: number(20, 'orders of a user', 1000, 1),
  order_minutes: number(120, 'min', 10_080, 5),
  stray_callback_kb_a_day: number(16_384, 'KB a day', 1_000_000, 1),
  stray_callback_days: number(90, 'd', 3650, EVIDENCE_DAYS_MIN),
  spay_method: word('verotel', 'method', METHOD),
  pays_method: word('fk', 'method', METHOD),
  quality_watch_ids: list([], 'ids', /^[1-9]\d{0,9}$/),
  women_online_start: number(20, 'women', 1_000_000),
  virtual_date_noshow: number(20, '%', 100),
  virtual_date_ahead: number(60, 'd', 365, 1),
  virtual_dates_open: number(10, 'open dates of a guy', 100, 1),
  virtual_dates_open_pair: number(3, 'open dates of two', 100, 1),
  virtual_dates_open_girl: number(100, 'open dates of a girl', 1000, 1),
  virtual_date_days: number(365, 'd', 3650, 31),
  competitor_words: {
    ...list(COMPETITORS, 'words of three letters or more'),
    schema: z
      .array(z.string().max(60).refine(isMaskableWord, 'A word has three letters or more'))
      .max(100),
  },
  fast_phrases: list(FAST_PHRASES, 'phrases, of a language as `de:…`', PHRASE),
} satisfies Record<string, { schema: z.ZodType; fallback: unknown; unit: string }>

export type SettingKey = keyof typeof settings
export const settingKeys = Object.keys(settings) as SettingKey[]

/** The default of a setting in this installation. */
export function toDefault(key: SettingKey, installation: { readonly demo: boolean }): unknown {
  const definition = settings[key]
  return installation.demo && 'demo' in definition ? definition.demo : definition.fallback
}

export type SettingValue<K extends SettingKey> = z.output<(typeof settings)[K]['schema']>
