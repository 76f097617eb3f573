/**
 * Every refusal: its name, its code on the wire, its HTTP status, its English message. The wire carries
 * name and code. Clients branch by the name. Only this file knows the numbers.
 */
export const refusals = {
  wrong_login: { code: 101, http: 401, message: 'Wrong login or password' },
  session_invalid: { code: 102, http: 401, message: 'Session invalid' },
  email_used: { code: 103, http: 409, message: 'Email already used' },
  recovery_invalid: { code: 104, http: 404, message: 'Recovery link invalid or used' },
  passwords_differ: { code: 105, http: 400, message: 'Passwords do not match' },
  password_weak: {
    code: 106,
    http: 400,
    message: 'Password must be at least 8 characters in length and not one of the best-known',
  },
  name_short: { code: 107, http: 400, message: 'Name too short' },
  name_long: { code: 108, http: 400, message: 'Name too long' },
  registered_only: { code: 109, http: 403, message: 'Only for registered users' },
  age_unconfirmed: { code: 110, http: 403, message: 'Age and terms not confirmed' },
  second_factor: { code: 111, http: 401, message: 'Second factor required or wrong' },
  email_invalid: { code: 112, http: 400, message: 'Email address not valid' },
  password_required: { code: 113, http: 401, message: 'Current password required or wrong' },
  nick_short: { code: 201, http: 400, message: 'Nickname under 3 symbols' },
  about_long: { code: 202, http: 400, message: 'About over 2000 symbols' },
  birthday_invalid: { code: 203, http: 400, message: 'Birthday missing, invalid or under 18' },
  avatar_type: { code: 204, http: 415, message: 'Avatar is not jpg or png' },
  avatar_size: { code: 204, http: 413, message: 'Avatar is over 2 MB' },
  avatar_unsaved: { code: 205, http: 500, message: 'Avatar could not be saved' },
  nudity: { code: 206, http: 422, message: 'Nudity in photo' },
  avatar_required: { code: 207, http: 403, message: 'An avatar is required first' },
  image_removed: { code: 208, http: 422, message: 'Image removed for breaking the rules' },
  verification_required: { code: 209, http: 403, message: 'Verification required first' },
  birthday_fixed: { code: 210, http: 409, message: 'The birthday of a verified user is fixed' },
  no_balance: { code: 301, http: 402, message: 'Not enough balance' },
  premium_only: { code: 302, http: 403, message: 'Only for premium' },
  message_limit: { code: 303, http: 403, message: 'Daily message limit used' },
  in_call: { code: 304, http: 409, message: 'You (or the other) are in an active chat' },
  not_found: { code: 305, http: 404, message: 'Not found' },
  no_gifts: { code: 306, http: 403, message: 'This user cannot accept gifts' },
  blocked: { code: 307, http: 403, message: 'You blocked or are blocked by this user' },
  type_unsupported: { code: 308, http: 400, message: 'Message type not supported' },
  pair_over: { code: 309, http: 409, message: 'Pair or invitation is over' },
  no_first_write: { code: 310, http: 403, message: 'You may not write first to this user' },
  user_offline: { code: 311, http: 409, message: 'User is offline, or takes no calls now' },
  spending_limit: { code: 312, http: 403, message: 'Own spending limit reached' },
  dialog_exists: { code: 362, http: 409, message: 'Dialog exists' },
  address_wrong: { code: 401, http: 400, message: 'This address does not belong to USDT (TRC-20)' },
  wallet_unknown: { code: 402, http: 400, message: 'No such wallet' },
  below_minimum: { code: 403, http: 400, message: 'Below the minimum withdrawal' },
  withdrawal_waiting: { code: 404, http: 409, message: 'A withdrawal is already waiting' },
  method_unavailable: {
    code: 405,
    http: 503,
    message: 'Payment or verification method not available',
  },
  payment_unverified: { code: 406, http: 400, message: 'Payment could not be verified' },
  banned: { code: 500, http: 403, message: 'Banned' },
  captcha_required: { code: 600, http: 429, message: 'Captcha required' },
  too_many: { code: 601, http: 429, message: 'Too many requests' },
  draining: { code: 601, http: 503, message: 'The server is restarting, try again in a moment' },
  invalid: { code: 900, http: 400, message: 'Request not valid' },
  changed_elsewhere: { code: 900, http: 409, message: 'This was changed elsewhere meanwhile' },
  key_reused: { code: 900, http: 409, message: 'The same key came with another body' },
  too_large: { code: 900, http: 413, message: 'Too large' },
  wrong_type: { code: 900, http: 415, message: 'Wrong content type' },
  unknown_call: { code: 901, http: 404, message: 'Unknown action or call' },
  client_old: { code: 902, http: 426, message: 'Client too old' },
  unreadable: { code: 903, http: 400, message: 'Packet not readable' },
  role_forbidden: { code: 904, http: 403, message: 'Not allowed for your role' },
  claimed: { code: 905, http: 409, message: 'Another member of staff has this case' },
  decided: { code: 906, http: 409, message: 'This case is decided already' },
  bulk_stopped: {
    code: 907,
    http: 403,
    message: 'A second person of staff must allow more of these acts',
  },
  banned_already: { code: 908, http: 409, message: 'This person is banned already' },
  internal: { code: 999, http: 500, message: 'Internal error' },
} as const satisfies Record<string, { code: number; http: number; message: string }>

export type RefusalName = keyof typeof refusals

export const refusalNames = Object.keys(refusals) as [RefusalName, ...RefusalName[]]

export function isRefusalName(name: string): name is RefusalName {
  return Object.hasOwn(refusals, name)
}

/**
 * The first refusal with this code. Undefined if the catalogue lacks the code. Only for answers of servers
 * that do not send the name yet.
 */
export function refusalOfCode(code: number): RefusalName | undefined {
  return refusalNames.find((name) => refusals[name].code === code)
}

/** The refusals of the dispatcher itself: every call may answer them, no contract lists them. */
export const everyCall = [
  'session_invalid',
  'registered_only',
  'premium_only',
  'verification_required',
  'second_factor',
  'banned',
  'captcha_required',
  'too_many',
  'draining',
  'invalid',
  'too_large',
  'wrong_type',
  'unknown_call',
  'client_old',
  'unreadable',
  'role_forbidden',
  'internal',
] as const satisfies readonly RefusalName[]
