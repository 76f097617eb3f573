import type { QueryClient } from '@tanstack/react-query'
import type { Connection } from '@duet/client'
import type { EventName, Payload } from '@duet/protocol'
import { cacheOf, type Cache } from '../shared/cache.ts'
import { apply as landing } from '../features/landing/apply.ts'
import { notices } from './notices.ts'

/**
 * Where each event of the wire goes. `own record`: kept right by the client. `screen`: heard by the screen that shows it, while it is open.
 * `no screen`: its feature has no screen yet.
 */
export type Place<E extends EventName> =
  | 'own record'
  | 'screen'
  | 'no screen'
  | 'connection'
  | ((cache: Cache, payload: Payload<E>, connection: Connection) => void)

/** The type demands every event: a new one of the wire does not compile without a place. */
export const places: { readonly [E in EventName]: Place<E> } = {
  auth_success: 'connection',
  reconnect: 'connection',
  force_close_connection: () => location.reload(),
  update_profile_success: 'own record',
  user_info: 'own record',
  balance: 'own record',
  free_quota: 'own record',
  new_balance_info: notices.new_balance_info,
  refill_balance: notices.refill_balance,
  pay_success: 'own record',
  banned: 'own record',
  unbanned: 'own record',
  'online.count': landing['online.count'],
  update_status_user: (cache, { user_id, status, sub_status }) =>
    cache.person(user_id, { status, sub_status }),
  update_status_girl: (cache, { user_id, status }) => cache.person(user_id, { status }),
  add_favourite_success: (cache, { user_id }) => cache.person(user_id, { is_favorite: true }),
  remove_favourite_success: (cache, { user_id }) => cache.person(user_id, { is_favorite: false }),
  added_your_favorites: notices.added_your_favorites,
  like_received: notices.like_received,
  search_state: 'screen',
  search_pair: 'screen',
  search_pair_closed: 'screen',
  new_session: 'screen',
  close_session: 'screen',
  session_up: 'screen',
  session_up_declined: 'screen',
  meter: 'screen',
  text_chat_message: 'screen',
  session_typing: 'screen',
  session_hint: 'screen',
  'captcha.verify': 'no screen',
  notice: 'no screen',
  wanted_girl_online: 'no screen',
  premium_guest_online: 'no screen',
  frame_request: 'no screen',
  penalty: 'no screen',
  messenger_message: 'own record',
  messenger_message_removed: 'no screen',
  messenger_read_message: 'no screen',
  send_message_success: 'no screen',
  messenger_typing: 'no screen',
  dialog_update: 'no screen',
  got_gift: 'no screen',
  give_gift_success: 'own record',
  date_update: 'no screen',
  payments_methods_extend: 'no screen',
}

/** Connects the line with everything that keeps what it told. */
export function fanOut(connection: Connection, queries: QueryClient): void {
  const cache = cacheOf(queries)
  for (const name of Object.keys(places) as EventName[]) {
    const place = places[name] as Place<EventName>
    if (typeof place === 'function')
      connection.on(name, (payload) => place(cache, payload as never, connection))
  }
}
