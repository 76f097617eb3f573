import type { EventName, Payload } from '@duet/protocol'

type Auth = Payload<'auth_success'>
type Keep = { [E in EventName]?: (auth: Auth, payload: Payload<E>) => Auth }

const withUser = (auth: Auth, change: Partial<Auth['user']>): Auth => ({
  ...auth,
  user: { ...auth.user, ...change },
})
const withBalance = (
  auth: Auth,
  { balance, balance_messages }: { balance: string; balance_messages: number },
) => withUser(auth, { balance, balance_messages })

/** Which part of the last AUTH answer each event brings up to date. */
const keep: Keep = {
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
  new_session: (auth, { session }) => ({ ...auth, active_session: session, search: undefined }),
  close_session: (auth, { session_id, balance }) => ({
    ...withUser(auth, { balance }),
    active_session: auth.active_session?.id === session_id ? undefined : auth.active_session,
  }),
  search_state: (auth, search) => ({
    ...auth,
    search: {
      ...search,
      ...(search.state === 'offered' && auth.search?.pair && { pair: auth.search.pair }),
    },
  }),
  search_pair: (auth, pair) => ({
    ...auth,
    search: { ...(auth.search ?? { state: 'offered' }), pair },
  }),
  search_pair_closed: (auth, { pair_id }) =>
    auth.search?.pair?.pair_id === pair_id
      ? { ...auth, search: { ...auth.search, pair: undefined } }
      : auth,
  banned: (auth, { moderation_info }) => ({ ...auth, moderation_info }),
  unbanned: (auth) => ({ ...auth, moderation_info: undefined }),
}

/** The last AUTH answer with what an event changed in it; the same object when it changed nothing. */
export function keptRight(auth: Auth, event: string, payload: unknown): Auth {
  const by = Object.hasOwn(keep, event) ? keep[event as EventName] : undefined
  return by ? by(auth, payload as never) : auth
}
