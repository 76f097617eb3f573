import type matchmakingTexts from '@duet/locales/en/matchmaking.json'
import { handledByClient } from '../../shared/feature.ts'
import type { EventHandlers, Feature } from '../../shared/feature.ts'

declare module '../../shared/i18n.ts' {
  interface TextCatalogs {
    matchmaking: typeof matchmakingTexts
  }
}

/** The reducer of a search receives these events from the runtime (`app/video/video-runtime.ts`). */
const events: EventHandlers<'matchmaking'> = {
  search_state: handledByClient,
  search_pair: handledByClient,
  search_pair_closed: handledByClient,
}

/** Search, offers, breaks: everything before a call. */
export const matchmaking = {
  navigation: async () => (await import('./navigation.ts')).navigation,
  events,
  errorAreas: {
    MATCH_AWAIT: 'chat',
    OUT_FROM_SEARCH: 'chat',
    SEARCH_PAIR_ACCEPT: 'chat',
    SEARCH_PAIR_REJECT: 'chat',
    INVITE_TO_CHAT: 'chat',
  },
} satisfies Feature
