import type matchmakingTexts from '@duet/locales/en/matchmaking.json'
import type { EventHandlers, Feature } from '../../shared/feature.ts'
import { searchEvents } from './server-events.ts'

declare module '../../shared/i18n.ts' {
  interface TextCatalogs {
    matchmaking: typeof matchmakingTexts
  }
}

/** The runtime of a search subscribes to the relayed events. */
const events: EventHandlers<'matchmaking'> = searchEvents.handlers

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
