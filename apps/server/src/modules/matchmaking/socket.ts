import type { ActionsOf } from '../../core/module.ts'
import { acceptOffer, rejectOffer } from './offers/answer-offer.ts'
import { startSearch } from './start-search.ts'
import { stopSearch } from './stop-search.ts'

/** INVITE_TO_CHAT is added with direct calls. */
export const actions = {
  MATCH_AWAIT: startSearch,
  OUT_FROM_SEARCH: stopSearch,
  SEARCH_PAIR_ACCEPT: acceptOffer,
  SEARCH_PAIR_REJECT: rejectOffer,
} satisfies Partial<ActionsOf<'matchmaking'>>
