/** The texts of every screen of search and call, for `lazyScreen`. */
export const CALL_TEXTS = ['matchmaking', 'calls', 'devices', 'translation'] as const
