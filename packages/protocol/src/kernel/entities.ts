import { z } from 'zod'
import { LocaleName } from './locale-schemas.ts'
import {
  Amount,
  Clock,
  Count,
  Country,
  Day,
  Id,
  Millis,
  RefCode,
  Seconds,
  Time,
  Token,
  Units,
  Url,
  UserId,
  Uuid,
} from './primitives.ts'
import { ProfileFields } from './profile-fields.ts'
import { GENDERS, WIRE_ROLES } from './roles.ts'

/** The entities that more than one module sends, with exactly the fields that their reader may see. */

export const Gender = z.enum(GENDERS)
export const WireRole = z.enum(WIRE_ROLES)
export const Status = z.enum(['online', 'busy', 'offline'])
export type Status = z.output<typeof Status>
/** The activity of a user who is online; null while offline. */
export const SubStatus = z.enum(['free', 'searching', 'public', 'private', 'break'])
export type SubStatus = z.output<typeof SubStatus>
export const VerifyState = z.enum(['none', 'checking', 'verified', 'declined'])
export type VerifyState = z.output<typeof VerifyState>
export const AvatarStatus = z.enum(['none', 'ready', 'pending', 'removed'])
export type AvatarStatus = z.output<typeof AvatarStatus>
export const CamscoreStatus = z.enum(['new', 'none', 'terrible', 'bad', 'good', 'excellent'])
export type CamscoreStatus = z.output<typeof CamscoreStatus>
export const CallState = z.enum(['public', 'private'])
export type CallState = z.output<typeof CallState>

/** Every day from one time of the girl's zone to another, over midnight when `from` is later. */
export const QuietHours = z.object({ from: Clock, to: Clock, zone: z.string().min(1).max(64) })
export type QuietHours = z.output<typeof QuietHours>

/** The user's own record: no other user sees it. */
export const User = z.object({
  id: UserId,
  nick: z.string().nullable(),
  email: z.string().nullable(),
  gender: Gender.nullable(),
  role: WireRole.nullable(),
  balance: Amount,
  balance_units: Units,
  balance_messages: Count,
  /** The used part of a purchase that was given back: taken from the next purchase. Absent: nothing is owed. */
  debt: z.object({ diamonds: Amount, messages: Count }).optional(),
  is_premium: z.boolean(),
  premium_until: Time.nullable(),
  avatar: Url.nullable(),
  avatar_status: AvatarStatus,
  /** Others see an avatar. An avatar that waits for review does not count. */
  avatar_shown: z.boolean(),
  locale: LocaleName,
  country: Country.nullable(),
  ...ProfileFields.shape,
  ortc_token: Token,
  fs_token: Token,
  quiet_hours: QuietHours.nullable(),
  has_photos: z.boolean(),
  hasPhotos: z.boolean(),
  info: z.object({
    is_verify: z.boolean(),
    usdt_wallet: z.string().nullable(),
    verify_state: VerifyState,
  }),
  ref_code: RefCode.nullable(),
  birthday: Day.nullable(),
  about: z.string(),
  age_confirmed: z.boolean(),
  email_confirmed: z.boolean(),
  second_factor: z.boolean(),
  last_visit: Time.nullable(),
  camscore: CamscoreStatus.optional(),
  top_until: Time.nullable().optional(),
  can_accept_gifts: z.boolean(),
  /** The own wish to see the adult gallery. Only if the installation has an adult gallery. */
  shows_adult: z.boolean().optional(),
})
export type User = z.output<typeof User>

/** The same picture in another width in pixels, for `srcset`. */
export const PictureVariant = z.object({ width: z.int().positive(), url: Url })
export type PictureVariant = z.output<typeof PictureVariant>

/** A user as other users see them; `is_favorite`, `is_wanted` and the statuses depend on the viewer. */
export const UserInterlocutor = z.object({
  id: UserId,
  ref_code: RefCode.nullable(),
  nick: z.string(),
  role: WireRole,
  avatar: Url.nullable(),
  /** Every width of the avatar, the narrowest first; absent where it is blurred. */
  avatar_variants: z.array(PictureVariant).optional(),
  age: z.int().positive().optional(),
  locale: LocaleName,
  country: Country.optional(),
  is_premium: z.boolean(),
  is_favorite: z.boolean(),
  is_wanted: z.boolean().optional(),
  status: Status,
  sub_status: SubStatus.nullable(),
  is_top: z.boolean().optional(),
  is_new: z.boolean().optional(),
  /** The server plays this user now; in the demo installation only. */
  is_companion: z.boolean().optional(),
})
export type UserInterlocutor = z.output<typeof UserInterlocutor>

/** An offer as a visitor without an account sees it: a blurred card of a user who is searching. */
export const PreviewCard = z.object({
  role: WireRole,
  locale: LocaleName,
  avatar_blurred: Url.nullable(),
})
export type PreviewCard = z.output<typeof PreviewCard>

export const MeterPhase = z.enum(['free', 'quota', 'paid', 'paused'])
export type MeterPhase = z.output<typeof MeterPhase>
/**
 * Why the meter is paused. In this order: no picture of the girl, no reports of a side, a side
 * disconnected, the girl's camera is off, the server restarted.
 */
export const PauseReason = z.enum(['no_frames', 'no_report', 'gone', 'camera_off', 'server'])
export type PauseReason = z.output<typeof PauseReason>

export const Meter = z.object({
  session_id: Id,
  phase: MeterPhase,
  why: PauseReason.optional(),
  phase_since: Time,
  paid_seconds: Seconds,
  balance: Amount.optional(),
  earned: Amount.optional(),
  ends_at: Time.optional(),
})
export type Meter = z.output<typeof Meter>

export const SessionText = z.object({
  session_id: Id,
  text_id: Id,
  id: z.string().max(64),
  sender_id: UserId,
  text: z.string(),
  create_time: Time,
})
export type SessionText = z.output<typeof SessionText>

/** An asking to go private that waits for an answer. `price` is a minute's, in the reader's own currency. */
export const SessionUp = z.object({
  session_id: Id,
  user_id: UserId,
  expires_in_ms: Millis,
  price: Amount,
})
export type SessionUp = z.output<typeof SessionUp>

/** How much of the partner's picture a page wants: everything, fewer frames, or stills beside the sound. */
export const DataMode = z.enum(['full', 'reduced', 'stills'])
export type DataMode = z.output<typeof DataMode>

/**
 * The devices of one side by its last report, how much of the partner's picture its page wants, and whether its network
 * carries only a small picture.
 */
export const SideMedia = z.object({
  audio: z.boolean(),
  video: z.boolean(),
  data_mode: DataMode,
  weak: z.literal(true).optional(),
})
export type SideMedia = z.output<typeof SideMedia>

/** The sides that agree to go on with sound while the girl's camera is off. */
export const SoundOnly = z.object({ own: z.boolean(), partner: z.boolean() })
export type SoundOnly = z.output<typeof SoundOnly>

/** A video session as one of its two parties sees it. `price` per minute, in the payer's or earner's own currency. */
export const Session = z.object({
  id: Id,
  /** Direct: one of the two called the other. It comes from no search, so no search follows it. */
  kind: z.enum(['random', 'direct']),
  state: CallState,
  user_interlocutor: UserInterlocutor,
  ortc_token: Token,
  interlocutorConnection: z.enum(['waiting', 'connected']),
  session_guid: Uuid,
  initiator: z.boolean(),
  prepare_id: Uuid.optional(),
  price: Amount,
  free_seconds: Seconds,
  quota_seconds: Seconds,
  paid_after: Seconds,
  /** How long the server waits for a partner whose page is gone. */
  partner_grace: Seconds,
  /** How long no second question to go private is accepted after a decline. */
  private_ask_again: Seconds,
  started_at: Time,
  connected_at: Time.optional(),
  meter: Meter.optional(),
  texts: z.array(SessionText).optional(),
  session_up: SessionUp.optional(),
  break_set: z.boolean().optional(),
  /** In `active_session`: which devices the user's page sent from, by its last report. Another page opens no others. */
  own_media: z.object({ audio: z.boolean(), video: z.boolean() }).optional(),
  /** In `active_session`: what the partner's page sends. */
  partner_media: SideMedia.optional(),
  /** In `active_session`, while one of the two agrees to go on with sound. */
  sound_only: SoundOnly.optional(),
})
export type Session = z.output<typeof Session>

export const MediaStatus = z.enum(['ready', 'pending', 'removed', 'processing', 'failed'])
export type MediaStatus = z.output<typeof MediaStatus>
export const Media = z.object({
  id: Uuid,
  kind: z.enum(['photo', 'video']),
  /** Null while there is nothing to show: a video that is converted, an item that was removed or failed. */
  url: Url.nullable(),
  /** The picture of a video before it plays. */
  poster: Url.optional(),
  /** Every width of a photo, or of the picture of a video, that the viewer sees in full; the narrowest first. */
  variants: z.array(PictureVariant).optional(),
  width: z.int().positive(),
  height: z.int().positive(),
  title: z.string().optional(),
  premium_only: z.boolean(),
  locked: z.boolean(),
  adult: z.boolean().optional(),
  status: MediaStatus,
  /** Why it was removed or failed, for its owner. */
  reason: z.string().optional(),
  like: Count,
  liked: z.boolean(),
  position: Count,
})
export type Media = z.output<typeof Media>

/** `price` in minutes. */
export const Gift = z.object({ gift_id: Id, name: z.string(), image: Url, price: Amount })
export type Gift = z.output<typeof Gift>

/** A change by which a waiting user would meet more of the users who wait now. */
export const SearchAdvice = z.object({
  kind: z.enum(['premium_only', 'countries', 'quiet_hours', 'premium']),
  /** The users that only this limit keeps away. */
  count: Count,
})
export type SearchAdvice = z.output<typeof SearchAdvice>

export const SearchState = z.object({
  state: z.enum(['idle', 'waiting', 'offered', 'break', 'paused']),
  reason: z
    .enum(['absence', 'missed_offers', 'no_balance', 'in_call', 'captcha', 'not_connected'])
    .optional(),
  until: Time.optional(),
})
export type SearchState = z.output<typeof SearchState>

const Offer = z.object({
  pair_id: Uuid,
  state: CallState,
  price: Amount,
  free_seconds: Seconds,
  expires_in_ms: Millis,
  /** Of a girl: the offers in a row that she did not answer, and how many of them take her out of the search. */
  missed_offers: Count.optional(),
  missed_offers_max: Count.optional(),
})

/** A user to meet: found by search, by invitation, or (for a visitor without an account) only shown. */
export const SearchPair = z.discriminatedUnion('kind', [
  Offer.extend({
    kind: z.enum(['random', 'direct']),
    role_in_call: z.enum(['caller', 'callee']).optional(),
    user_interlocutor: UserInterlocutor,
    about: z.string().optional(),
    prepare_id: Uuid.optional(),
  }),
  Offer.extend({ kind: z.literal('preview'), user_interlocutor: PreviewCard }),
])
export type SearchPair = z.output<typeof SearchPair>

/** All that the services of statistics ever learn: that a public or a private call began. */
export const GOALS = ['random_video_chat', 'direct_call'] as const
export type Goal = (typeof GOALS)[number]
