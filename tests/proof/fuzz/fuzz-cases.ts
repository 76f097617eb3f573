interface Case {
  readonly action: string
  readonly data: unknown
}

const parsed = (text: string): unknown => JSON.parse(text)

/**
 * Inputs that must never do harm again: findings of the fuzzer, and shapes from advisories of our
 * dependencies.
 */
export const cases: readonly Case[] = [
  { action: 'UPDATE_PROFILE', data: parsed('{"__proto__":{"role":"girl"},"about":"x"}') },
  { action: 'UPDATE_PROFILE', data: parsed('{"quiet_hours":{"__proto__":{"from":"00:00"}}}') },
  { action: 'UPDATE_PROFILE', data: { about: 'text\u0000text' } },
  { action: 'UPDATE_PROFILE', data: { about: '\ud800' } },
  { action: 'SUBSCRIBE', data: { user_ids: [2 ** 53, -1, 1.5] } },
  { action: 'SUBSCRIBE', data: { user_ids: Array.from({ length: 201 }, (_, at) => at + 1) } },
  { action: 'GET_CHANGES', data: { since: 2 ** 53 } },
  { action: 'TEXT_CHAT_MESSAGE', data: { session_id: 1, id: '\u0000', text: '\u0000' } },
  { action: 'ADD_FAVOURITE', data: { user_id: Number.MAX_SAFE_INTEGER } },
  { action: 'SEARCH_PAIR_ACCEPT', data: { pair_id: '00000000-0000-0000-0000-000000000000' } },
]
