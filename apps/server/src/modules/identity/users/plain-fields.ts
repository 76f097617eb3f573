/** Fields of the own record that are stored, shown and changed without any check beyond the contract's. */
export const PLAIN_FIELDS = [
  'phone',
  'show_country',
  'noty_email',
  'noty_push',
  'noty_premium_guest',
  'noty_wanted_girl',
  'safe_video',
  'auto_accept',
  'available',
  'hide_countries',
  'premium_calls_only',
  'default_pay_system',
] as const
