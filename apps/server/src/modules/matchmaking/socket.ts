import type { ActionsOf } from '../../core/module.ts'
import { acceptPair, rejectPair } from './offers/answer-offer.ts'
import { startSearch } from './start-search.ts'
import { stopSearch } from './stop-search.ts'

/** INVITE_TO_CHAT comes with direct calls. */
export const actions = {
  MATCH_AWAIT: startSearch,
  OUT_FROM_SEARCH: stopSearch,
  SEARCH_PAIR_ACCEPT: acceptPair,
  SEARCH_PAIR_REJECT: rejectPair,
} satisfies Partial<ActionsOf<'matchmaking'>>
