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
