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
