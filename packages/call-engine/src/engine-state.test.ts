import { assert, constantFrom, array, property } from 'fast-check'
import { deepEqual, equal, notEqual, ok, partialDeepStrictEqual } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { decide, IDLE } from './engine-state.ts'
import type { CallState, Effect, Happened, Peer } from './engine-state.ts'

const TURN = { ice_servers: [], ice_transport_policy: 'all' } as const
const FIRST: Peer = { session_guid: 'first', initiator: true, turn: { ...TURN, ice_servers: [] } }
const SECOND: Peer = { ...FIRST, session_guid: 'second' }

const START: Happened = { what: 'started', session_id: 1 }
const MEET: Happened = { what: 'new_peer', session_id: 1, peer: FIRST }
const MEET_SECOND: Happened = { what: 'new_peer', session_id: 1, peer: SECOND }
const CONNECTED: Happened = { what: 'link_changed', session_guid: 'first', link: 'connected' }
const DISCONNECTED: Happened = { what: 'link_changed', session_guid: 'first', link: 'disconnected' }
const FAILED: Happened = { what: 'link_changed', session_guid: 'first', link: 'failed' }
const FRAME: Happened = { what: 'first_frame', session_guid: 'first' }
const LOST: Happened = { what: 'signal_lost' }
const BACK: Happened = { what: 'signal_back' }

function after(...happened: Happened[]): { call: CallState; effects: Effect[]; last: Effect[] } {
  let call: CallState = { ...IDLE, signalling: 'up' }
  const effects: Effect[] = []
  let last: Effect[] = []
  for (const each of happened) {
    const decision = decide(call, each)
    call = decision.call
    last = decision.effects
    effects.push(...last)
  }
  return { call, effects, last }
}

const does = (effects: Effect[]) => effects.map((effect) => effect.do)
const IN_CALL = [START, MEET, CONNECTED, FRAME]

describe('a call from join to picture', () => {
  test('joins, opens the connection it is told of, and is connected at the first frame', () => {
    equal(after(START).call.phase, 'joining')
    ok(after(START).last.some((each) => isDeepStrictEqual(each, { do: 'join', session_id: 1 })))
    equal(after(START, MEET).call.phase, 'negotiating')
    ok(
      after(START, MEET).last.some((each) =>
        isDeepStrictEqual(each, { do: 'open_link', peer: FIRST }),
      ),
    )
    equal(after(START, MEET, CONNECTED).call.phase, 'negotiating')
    equal(after(...IN_CALL).call.phase, 'connected')
    ok(
      after(...IN_CALL).last.some((each) =>
        isDeepStrictEqual(each, {
          do: 'tell_connected',
          session_id: 1,
          session_guid: 'first',
        }),
      ),
    )
  })

  test('the same call again changes nothing: media is not rebuilt', () => {
    deepEqual(after(...IN_CALL, START).last, [])
  })

  test('another call leaves the running one', () => {
    const next = after(...IN_CALL, { what: 'started', session_id: 2 })
    deepEqual(does(next.last), [
      'close_link',
      'let_sleep',
      'let_sleep',
      'let_sleep',
      'join',
      'wake',
      'wake',
    ])
    partialDeepStrictEqual(next.call, {
      phase: 'joining',
      session_id: 2,
      session_guid: null,
      seen: false,
    })
  })

  test('a connection begun ahead is the one that new_peer means', () => {
    const early = after({ what: 'started', session_id: 1, ahead: FIRST })
    deepEqual(does(early.last).slice(0, 2), ['open_link', 'join'])
    const met = after({ what: 'started', session_id: 1, ahead: FIRST }, MEET)
    deepEqual(met.last, [{ do: 'renew_link', turn: FIRST.turn }])
    equal(met.call.phase, 'negotiating')
  })

  test('a connection begun ahead gives way when the server names another', () => {
    const met = after({ what: 'started', session_id: 1, ahead: FIRST }, MEET_SECOND)
    deepEqual(does(met.last), ['close_link', 'let_sleep', 'open_link'])
  })

  test('is slow after 5 s and not connected after 15 s, which is told once', () => {
    const slow: Happened = { what: 'woke', wake: 'slow' }
    const give_up: Happened = { what: 'woke', wake: 'give_up' }
    equal(after(START, MEET, slow).call.trouble, 'slow')
    const gave_up = after(START, MEET, slow, FAILED, give_up)
    equal(gave_up.call.trouble, 'not_connected')
    equal(does(gave_up.effects).filter((each) => each === 'tell_not_connected').length, 1)
    equal(after(START, MEET, slow, CONNECTED, FRAME).call.trouble, null)
  })

  test('a call that is not ours ends', () => {
    const refused = after(START, { what: 'join_refused', session_id: 1 })
    partialDeepStrictEqual(refused.call, { phase: 'ended', trouble: 'refused' })
  })
})

describe('broken media', () => {
  test('a dip waits 3 s before candidates are sought anew', () => {
    const dip = after(...IN_CALL, DISCONNECTED)
    equal(dip.call.phase, 'reconnecting')
    deepEqual(dip.last, [{ do: 'wake', wake: 'restart', in_ms: 3000 }])
    deepEqual(does(after(...IN_CALL, DISCONNECTED, { what: 'woke', wake: 'restart' }).last), [
      'restart_ice',
      'wake',
    ])
  })

  test('a dip that heals costs nothing', () => {
    const healed = after(...IN_CALL, DISCONNECTED, CONNECTED)
    equal(healed.call.phase, 'connected')
    deepEqual(healed.last, [{ do: 'let_sleep', wake: 'restart' }])
    deepEqual(
      after(...IN_CALL, DISCONNECTED, CONNECTED, { what: 'woke', wake: 'restart' }).last,
      [],
    )
  })

  test('a failure and a new network are acted on at once', () => {
    deepEqual(does(after(...IN_CALL, FAILED).last), ['restart_ice', 'wake'])
    deepEqual(does(after(...IN_CALL, { what: 'network_changed' }).last), ['restart_ice', 'wake'])
  })

  test('a failure before anybody was seen is told to the server, once', () => {
    const told = after(START, MEET, FAILED, CONNECTED, FAILED).effects.filter(
      (each) => each.do === 'tell_not_connected',
    )
    deepEqual(told, [
      { do: 'tell_not_connected', session_id: 1, session_guid: 'first', reason: 'ice_failed' },
    ])
  })
})

describe('lost signalling', () => {
  test('media lives on and the page comes back with the running guid', () => {
    equal(after(...IN_CALL, LOST).call.phase, 'connected')
    deepEqual(after(...IN_CALL, LOST, BACK).last, [
      { do: 'join', session_id: 1, session_guid: 'first' },
    ])
    const again = after(...IN_CALL, LOST, BACK, MEET)
    deepEqual(does(again.last), ['renew_link', 'tell_connected'])
  })

  test('coming back without media seeks candidates anew', () => {
    ok(does(after(...IN_CALL, LOST, DISCONNECTED, BACK, MEET).last).includes('restart_ice'))
  })

  test('a call started while it is lost joins when it is back', () => {
    ok(!does(after(LOST, START).last).includes('join'))
    deepEqual(after(LOST, START, BACK).last, [{ do: 'join', session_id: 1 }])
  })

  test('a new guid is a fresh connection, and PEER_CONNECTED is told again for it', () => {
    const rebuilt = after(...IN_CALL, MEET_SECOND)
    deepEqual(does(rebuilt.last), ['close_link', 'let_sleep', 'open_link'])
    partialDeepStrictEqual(rebuilt.call, {
      phase: 'reconnecting',
      session_guid: 'second',
      announced: false,
    })
    const seen = after(...IN_CALL, MEET_SECOND, { what: 'first_frame', session_guid: 'second' })
    ok(
      seen.last.some((each) =>
        isDeepStrictEqual(each, {
          do: 'tell_connected',
          session_id: 1,
          session_guid: 'second',
        }),
      ),
    )
  })
})

const ANYTHING: Happened[] = [
  ...[START, { what: 'started', session_id: 2, ahead: SECOND } as const, MEET, MEET_SECOND],
  ...[CONNECTED, DISCONNECTED, FAILED, FRAME, LOST, BACK],
  ...[
    { what: 'network_changed' } as const,
    { what: 'ended' } as const,
    { what: 'join_refused', session_id: 1 } as const,
  ],
  ...(['restart', 'slow', 'give_up'] as const).map((wake) => ({ what: 'woke', wake }) as const),
]

test('whatever happens in whatever order: one connection at a time, told of as connected only after a frame, none after the end', () => {
  assert(
    property(array(constantFrom(...ANYTHING), { maxLength: 40 }), (history) => {
      let call: CallState = { ...IDLE, signalling: 'up' }
      let open: string | null = null
      let framed = new Set<string>()
      for (const happened of history) {
        if (happened.what === 'first_frame' && happened.session_guid === open)
          framed.add(happened.session_guid)
        const decision = decide(call, happened)
        for (const effect of decision.effects) {
          if (effect.do === 'close_link') {
            notEqual(open, null)
            open = null
            framed = new Set()
          }
          if (effect.do === 'open_link') {
            equal(open, null)
            open = effect.peer.session_guid
          }
          if (effect.do === 'restart_ice' || effect.do === 'renew_link') notEqual(open, null)
          if (effect.do === 'tell_connected') ok(framed.has(effect.session_guid))
        }
        call = decision.call
        equal(call.session_guid, open)
      }
    }),
  )
})
