import type callTexts from '@duet/locales/en/calls.json'
import type deviceTexts from '@duet/locales/en/devices.json'
import type matchmakingTexts from '@duet/locales/en/matchmaking.json'
import { handledByClient } from '../../shared/feature.ts'
import type { EventHandlers, Feature } from '../../shared/feature.ts'

declare module '../../shared/i18n.ts' {
  interface TextCatalogs {
    calls: typeof callTexts
    devices: typeof deviceTexts
    matchmaking: typeof matchmakingTexts
  }
}

/** The call runtime subscribes to these events by itself (`runtime/hear-server.ts`). */
const events: EventHandlers<'matchmaking'> & EventHandlers<'calls'> = {
  search_state: handledByClient,
  search_pair: handledByClient,
  search_pair_closed: handledByClient,
  new_session: handledByClient,
  close_session: handledByClient,
  session_up: handledByClient,
  session_up_declined: handledByClient,
  meter: handledByClient,
  text_chat_message: handledByClient,
  session_typing: handledByClient,
  session_hint: handledByClient,
}

/** Video: search, offers, calls. */
export const video = {
  navigation: async () => (await import('./navigation.ts')).navigation,
  events,
  errorAreas: {
    MATCH_AWAIT: 'chat',
    OUT_FROM_SEARCH: 'chat',
    SEARCH_PAIR_ACCEPT: 'chat',
    SEARCH_PAIR_REJECT: 'chat',
    INVITE_TO_CHAT: 'chat',
    SESSION_UP: 'chat',
    SESSION_UP_REACTION: 'chat',
    BREAK_SESSION: 'chat',
    TEXT_CHAT_MESSAGE: 'message',
  },
} satisfies Feature
