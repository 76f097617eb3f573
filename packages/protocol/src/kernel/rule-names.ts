/** The rules of the platform: cited by statements, also the reasons of penalties. */
export const ruleNames = [
  'only_herself',
  'nudity_public',
  'multiple_accounts',
  'foreign_account',
  'asking_money',
  'contacts',
  'bots_recordings',
  'third_parties',
  'ignoring',
  'absence',
  'harassment',
  'other',
] as const

/** The reasons of bans. */
export const banReasons = [
  'bad_connection',
  'other',
  'sexual_actions',
  'nudity',
  'absence',
  'no_attention',
  'video_material',
  'multiple_accounts',
  'foreign_account',
  'harassment',
  'asking_money',
  'child',
] as const

/** Why a running call stands high on the wall, the strongest first. */
export const wallReasons = [
  'complaint',
  'checked',
  'nudity',
  'accused',
  'no_face',
  'frames_missing',
  'camera_off',
  'earlier',
  'new_account',
] as const

/** The calls that the wall shows. */
export const wallFilters = ['all', 'flagged', 'new_accounts', 'private', 'weak'] as const

/** The order of the calls on the wall. */
export const wallOrders = ['risk', 'longest', 'newest'] as const

/** The places where a rule was broken. */
export const penaltyPlaces = [
  'public_call',
  'private_call',
  'messenger',
  'profile',
  'gallery',
  'other',
] as const

/** The kinds of statements of reasons. */
export const statementKinds = [
  'ban',
  'suspension',
  'warning',
  'penalty',
  'photo',
  'call_end',
  'absence',
  'text',
  'gifts',
  'verification',
] as const

/** The texts of a profile that staff may remove. */
export const removableTexts = ['nick', 'about'] as const

/** The reasons for which staff remove a picture. */
export const photoVerdicts = [
  'nudity',
  'personal_data',
  'screenshot',
  'not_you',
  'minor',
  'known_image',
  'intimate_image',
  'other',
] as const

/** The reasons for which staff decline an identity check. */
export const declineReasons = [
  'unreadable',
  'document_expired',
  'document_unknown',
  'not_same_person',
  'gesture_missing',
  'birthday_differs',
  'underage',
  'other',
] as const
export type DeclineReason = (typeof declineReasons)[number]

/** The purposes of movements of the balances of users. */
export const movementPurposes = [
  'call_public',
  'call_private',
  'date',
  'message',
  'message_reward',
  'gift',
  'purchase',
  'refund',
  'chargeback',
  'debt',
  'referral',
  'verified_earned',
  'penalty',
  'penalty_refund',
  'grant',
] as const

export const movementAssets = ['diamond', 'coin', 'message'] as const

type BrokenRule = (typeof ruleNames)[number]

/** The rules behind the reasons that are no rules themselves. */
const RULES_OF_REASONS: Readonly<Record<string, BrokenRule>> = {
  sexual_actions: 'nudity_public',
  nudity: 'nudity_public',
  no_attention: 'ignoring',
  video_material: 'bots_recordings',
  personal_data: 'contacts',
  not_you: 'only_herself',
  minor: 'third_parties',
  child: 'third_parties',
  intimate_image: 'other',
}

/**
 * The rule that a decision with this reason cites. Undefined: the reason names none, such as a bad connection, or the words of
 * the decision alone say what was wrong.
 */
export function citedRule(reason: string): BrokenRule | undefined {
  if (Object.hasOwn(RULES_OF_REASONS, reason)) return RULES_OF_REASONS[reason]
  return ruleNames.find((rule) => rule === reason && rule !== 'other')
}
