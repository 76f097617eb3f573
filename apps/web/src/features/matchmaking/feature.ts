import type matchmakingTexts from '@duet/locales/en/matchmaking.json'
import type { Feature } from '../../shared/feature.ts'

declare module '../../shared/i18n.ts' {
  interface TextCatalogs {
    matchmaking: typeof matchmakingTexts
  }
}

/** Search, offers, breaks: everything before a call. */
export const matchmaking = {
  navigation: async () => (await import('./navigation.ts')).navigation,
  reducedModules: ['matchmaking'],
  errorAreas: {
    MATCH_AWAIT: 'chat',
    OUT_FROM_SEARCH: 'chat',
    SEARCH_PAIR_ACCEPT: 'chat',
    SEARCH_PAIR_REJECT: 'chat',
    INVITE_TO_CHAT: 'chat',
  },
} satisfies Feature
