import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { applyEvent } from './own-record.ts'

type Auth = Parameters<typeof applyEvent>[0]

const auth = {
  user: { id: 7, nick: 'Boris', balance: '10', balance_messages: 2, is_premium: false },
  free_quota: 10,
  free_quota_messages: 3,
  count_new_messages: 0,
} as Auth

test('the balance of an event is the balance of the own record', () => {
  const next = applyEvent(auth, 'balance', { balance: '9.5', balance_messages: 1 })
  equal(next.user.balance, '9.5')
  equal(next.user.balance_messages, 1)
  equal(next.user.nick, 'Boris')
})

test('closing a call clears the active call, and no other one', () => {
  const inCall = applyEvent(auth, 'new_session', { session: { id: 3 } })
  equal(inCall.active_session?.id, 3)
  const other = applyEvent(inCall, 'close_session', { session_id: 2, balance: '8' })
  equal(other.active_session?.id, 3)
  equal(
    applyEvent(inCall, 'close_session', { session_id: 3, balance: '8' }).active_session,
    undefined,
  )
})

test('a call that rings stays until it is closed, whatever the search does', () => {
  const ringing = applyEvent(auth, 'search_pair', { pair_id: 'a', kind: 'direct' })
  equal(ringing.search?.state, 'idle')
  const waiting = applyEvent(ringing, 'search_state', { state: 'waiting' })
  equal(waiting.search?.pair?.pair_id, 'a')
  equal(applyEvent(waiting, 'search_pair_closed', { pair_id: 'a' }).search?.pair, undefined)
})

test('an offer stays in the search until it is closed', () => {
  const offered = applyEvent(auth, 'search_pair', { pair_id: 'a' })
  const again = applyEvent(offered, 'search_state', { state: 'offered' })
  equal(again.search?.pair?.pair_id, 'a')
  equal(applyEvent(again, 'search_pair_closed', { pair_id: 'b' }).search?.pair?.pair_id, 'a')
  equal(applyEvent(again, 'search_pair_closed', { pair_id: 'a' }).search?.pair, undefined)
  equal(applyEvent(again, 'search_state', { state: 'waiting' }).search?.pair, undefined)
})

test('an event about another user changes nothing', () => {
  equal(applyEvent(auth, 'update_status_girl', { user_id: 1, status: 'online' }), auth)
  deepEqual(applyEvent(auth, 'toString', {}), auth)
})
