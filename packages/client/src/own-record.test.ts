import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { keptRight } from './own-record.ts'

type Auth = Parameters<typeof keptRight>[0]

const auth = {
  user: { id: 7, nick: 'Boris', balance: '10', balance_messages: 2, is_premium: false },
  free_quota: 10,
  free_quota_messages: 3,
  count_new_messages: 0,
} as Auth

test('a balance that was told is the balance that is shown', () => {
  const next = keptRight(auth, 'balance', { balance: '9.5', balance_messages: 1 })
  equal(next.user.balance, '9.5')
  equal(next.user.balance_messages, 1)
  equal(next.user.nick, 'Boris')
})

test('a call that closed is no longer the active one, another stays', () => {
  const inCall = keptRight(auth, 'new_session', { session: { id: 3 } })
  equal(inCall.active_session?.id, 3)
  const other = keptRight(inCall, 'close_session', { session_id: 2, balance: '8' })
  equal(other.active_session?.id, 3)
  equal(
    keptRight(inCall, 'close_session', { session_id: 3, balance: '8' }).active_session,
    undefined,
  )
})

test('an offer lives in the search until it is closed', () => {
  const offered = keptRight(auth, 'search_pair', { pair_id: 'a' })
  const again = keptRight(offered, 'search_state', { state: 'offered' })
  equal(again.search?.pair?.pair_id, 'a')
  equal(keptRight(again, 'search_pair_closed', { pair_id: 'b' }).search?.pair?.pair_id, 'a')
  equal(keptRight(again, 'search_pair_closed', { pair_id: 'a' }).search?.pair, undefined)
  equal(keptRight(again, 'search_state', { state: 'waiting' }).search?.pair, undefined)
})

test('an event about somebody else changes nothing', () => {
  equal(keptRight(auth, 'update_status_girl', { user_id: 1, status: 'online' }), auth)
  deepEqual(keptRight(auth, 'toString', {}), auth)
})
