import { createEventRelay } from '../../shared/video/event-relay.ts'

/** The events of the server about a search and its offers. */
export const searchEvents = createEventRelay('search_state', 'search_pair', 'search_pair_closed')
