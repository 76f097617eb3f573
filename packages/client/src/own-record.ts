import type { EventName, Payload } from '@duet/protocol'

type Auth = Payload<'auth_success'>
type Reducers = { [E in EventName]?: (auth: Auth, payload: Payload<E>) => Auth }

const withUser = (auth: Auth, change: Partial<Auth['user']>): Auth => ({
  ...auth,
  user: { ...auth.user, ...change },
})
const withBalance = (
  auth: Auth,
  { balance, balance_messages }: { balance: string; balance_messages: number },
) => withUser(auth, { balance, balance_messages })

/** Only an event about the reader's own count names it. */
const withUnread = (auth: Auth, payload: { count_new_messages?: number }): Auth => ({
  ...auth,
  count_new_messages: payload.count_new_messages ?? auth.count_new_messages,
})

/** A call that rings is beside the search. */
const keepsPair = (
  { state }: Payload<'search_state'>,
  pair: Payload<'search_pair'> | undefined,
): boolean => pair !== undefined && (state === 'offered' || pair.kind === 'direct')

/** The events that change the own record. Each event has its change of the last answer to AUTH. */
const REDUCERS: Reducers = {
  user_info: (auth, { user }) => withUser(auth, user),
  update_profile_success: (auth, { user }) => withUser(auth, user),
  balance: withBalance,
  new_balance_info: withBalance,
  pay_success: (auth, payload) =>
    withUser(withBalance(auth, payload), {
      is_premium: true,
      premium_until: payload.premium_until,
    }),
  give_gift_success: (auth, { balance }) => withUser(auth, { balance }),
  free_quota: (auth, { seconds, messages }) => ({
    ...auth,
    free_quota: seconds,
    free_quota_messages: messages,
  }),
  messenger_message: (auth, { count_new_messages }) => ({ ...auth, count_new_messages }),
  messenger_read_message: withUnread,
  messenger_message_removed: withUnread,
  new_session: (auth, { session }) => ({ ...auth, active_session: session, search: undefined }),
  close_session: (auth, { session_id, balance }) => ({
    ...withUser(auth, { balance }),
    active_session: auth.active_session?.id === session_id ? undefined : auth.active_session,
  }),
  search_state: (auth, search) => ({
    ...auth,
    search: {
      ...search,
      ...(keepsPair(search, auth.search?.pair) && { pair: auth.search?.pair }),
    },
  }),
  search_pair: (auth, pair) => ({
    ...auth,
    search: { ...(auth.search ?? { state: pair.kind === 'direct' ? 'idle' : 'offered' }), pair },
  }),
  search_pair_closed: (auth, { pair_id }) =>
    auth.search?.pair?.pair_id === pair_id
      ? { ...auth, search: { ...auth.search, pair: undefined } }
      : auth,
  banned: (auth, { moderation_info }) => ({ ...auth, moderation_info }),
  unbanned: (auth) => ({ ...auth, moderation_info: undefined }),
}

/** Applies an event to the last answer to AUTH. If the event changes nothing, returns the same object. */
export function applyEvent(auth: Auth, event: string, payload: unknown): Auth {
  const reduce = Object.hasOwn(REDUCERS, event) ? REDUCERS[event as EventName] : undefined
  return reduce ? reduce(auth, payload as never) : auth
}
