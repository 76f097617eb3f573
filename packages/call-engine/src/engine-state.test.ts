import { assert, constantFrom, array, property } from 'fast-check'
import { deepEqual, equal, notEqual, ok, partialDeepStrictEqual } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { IDLE_STATE } from './engine-facts.ts'
import { decide } from './engine-state.ts'
import type { EngineCommand, EngineEvent, Peer } from './engine-events.ts'
import type { EngineState } from './engine-facts.ts'

const TURN = { ice_servers: [], ice_transport_policy: 'all' } as const
const FIRST: Peer = { session_guid: 'first', initiator: true, turn: { ...TURN, ice_servers: [] } }
const SECOND: Peer = { ...FIRST, session_guid: 'second' }

const START: EngineEvent = { type: 'started', session_id: 1 }
const MEET: EngineEvent = { type: 'new_peer', session_id: 1, peer: FIRST }
const MEET_SECOND: EngineEvent = { type: 'new_peer', session_id: 1, peer: SECOND }
const CONNECTED: EngineEvent = { type: 'link_changed', session_guid: 'first', link: 'connected' }
const DISCONNECTED: EngineEvent = {
  type: 'link_changed',
  session_guid: 'first',
  link: 'disconnected',
}
const FAILED: EngineEvent = { type: 'link_changed', session_guid: 'first', link: 'failed' }
const FRAME: EngineEvent = { type: 'first_frame', session_guid: 'first' }
const LOST: EngineEvent = { type: 'signaling_lost' }
const BACK: EngineEvent = { type: 'signaling_ready' }

function after(...event: EngineEvent[]): {
  state: EngineState
  commands: EngineCommand[]
  last: EngineCommand[]
} {
  let state: EngineState = { ...IDLE_STATE, signaling: 'up' }
  const commands: EngineCommand[] = []
  let last: EngineCommand[] = []
  for (const each of event) {
    const decision = decide(state, each)
    state = decision.state
    last = decision.commands
    commands.push(...last)
  }
  return { state, commands, last }
}

const does = (commands: EngineCommand[]) => commands.map((command) => command.type)
const IN_CALL = [START, MEET, CONNECTED, FRAME]

describe('a call from join to picture', () => {
  test('joins, opens the connection of new_peer, and is connected at the first frame', () => {
    equal(after(START).state.phase, 'joining')
    ok(after(START).last.some((each) => isDeepStrictEqual(each, { type: 'join', session_id: 1 })))
    equal(after(START, MEET).state.phase, 'negotiating')
    ok(
      after(START, MEET).last.some((each) =>
        isDeepStrictEqual(each, { type: 'open_link', peer: FIRST }),
      ),
    )
    equal(after(START, MEET, CONNECTED).state.phase, 'negotiating')
    equal(after(...IN_CALL).state.phase, 'connected')
    ok(
      after(...IN_CALL).last.some((each) =>
        isDeepStrictEqual(each, {
          type: 'send_connected',
          session_id: 1,
          session_guid: 'first',
        }),
      ),
    )
  })

  test('starting the running call again does not rebuild media', () => {
    deepEqual(after(...IN_CALL, START).last, [])
  })

  test('starting another call closes the running one', () => {
    const next = after(...IN_CALL, { type: 'started', session_id: 2 })
    deepEqual(does(next.last), [
      'close_link',
      'cancel_timer',
      'cancel_timer',
      'cancel_timer',
      'cancel_timer',
      'join',
      'start_timer',
      'start_timer',
    ])
    partialDeepStrictEqual(next.state, {
      phase: 'joining',
      session_id: 2,
      session_guid: null,
      partner_seen: false,
    })
  })

  test('keeps a connection opened ahead when new_peer names its guid', () => {
    const early = after({ type: 'started', session_id: 1, ahead: FIRST })
    deepEqual(does(early.last).slice(0, 2), ['open_link', 'join'])
    const met = after({ type: 'started', session_id: 1, ahead: FIRST }, MEET)
    deepEqual(met.last, [{ type: 'renew_link', turn: FIRST.turn }])
    equal(met.state.phase, 'negotiating')
  })

  test('replaces a connection opened ahead when new_peer names another guid', () => {
    const met = after({ type: 'started', session_id: 1, ahead: FIRST }, MEET_SECOND)
    deepEqual(does(met.last), ['close_link', 'cancel_timer', 'open_link'])
  })

  test('is slow after 5 s and not connected after 15 s, and reports the failure once', () => {
    const slow: EngineEvent = { type: 'timer_fired', timer: 'slow' }
    const giveUp: EngineEvent = { type: 'timer_fired', timer: 'give_up' }
    equal(after(START, MEET, slow).state.trouble, 'slow')
    const gaveUp = after(START, MEET, slow, FAILED, giveUp)
    equal(gaveUp.state.trouble, 'not_connected')
    equal(does(gaveUp.commands).filter((each) => each === 'send_not_connected').length, 1)
    equal(after(START, MEET, slow, CONNECTED, FRAME).state.trouble, null)
  })

  test('ends a call when the server refuses the join', () => {
    const refused = after(START, { type: 'join_refused', session_id: 1 })
    partialDeepStrictEqual(refused.state, { phase: 'ended', trouble: 'refused' })
  })

  test('joins again after the time that the server asked for', () => {
    const delayed: EngineEvent = { type: 'join_delayed', session_id: 1, in_ms: 7_000 }
    const rejoin: EngineEvent = { type: 'timer_fired', timer: 'rejoin' }
    deepEqual(after(START, delayed).last, [{ type: 'start_timer', timer: 'rejoin', in_ms: 7_000 }])
    deepEqual(after(START, delayed, rejoin).last, [{ type: 'join', session_id: 1 }])
    deepEqual(after(START, { type: 'join_delayed', session_id: 2, in_ms: 7_000 }).last, [])
    deepEqual(after(START, delayed, { type: 'ended' }, rejoin).last, [])
  })
})

describe('broken media', () => {
  test('waits 3 s after an interruption before it restarts ICE', () => {
    const dip = after(...IN_CALL, DISCONNECTED)
    equal(dip.state.phase, 'reconnecting')
    deepEqual(dip.last, [{ type: 'start_timer', timer: 'restart', in_ms: 3000 }])
    deepEqual(
      does(after(...IN_CALL, DISCONNECTED, { type: 'timer_fired', timer: 'restart' }).last),
      ['restart_ice', 'start_timer'],
    )
  })

  test('does not restart ICE when an interruption recovers by itself', () => {
    const healed = after(...IN_CALL, DISCONNECTED, CONNECTED)
    equal(healed.state.phase, 'connected')
    deepEqual(healed.last, [{ type: 'cancel_timer', timer: 'restart' }])
    deepEqual(
      after(...IN_CALL, DISCONNECTED, CONNECTED, { type: 'timer_fired', timer: 'restart' }).last,
      [],
    )
  })

  test('restarts ICE at once after a failure and on a new network', () => {
    deepEqual(does(after(...IN_CALL, FAILED).last), ['restart_ice', 'start_timer'])
    deepEqual(does(after(...IN_CALL, { type: 'network_changed' }).last), [
      'restart_ice',
      'start_timer',
    ])
  })

  test('reports a failure before the first frame to the server once', () => {
    const told = after(START, MEET, FAILED, CONNECTED, FAILED).commands.filter(
      (each) => each.type === 'send_not_connected',
    )
    deepEqual(told, [
      { type: 'send_not_connected', session_id: 1, session_guid: 'first', reason: 'ice_failed' },
    ])
  })
})

describe('lost signaling', () => {
  test('keeps media and rejoins with the running guid', () => {
    equal(after(...IN_CALL, LOST).state.phase, 'connected')
    deepEqual(after(...IN_CALL, LOST, BACK).last, [
      { type: 'join', session_id: 1, session_guid: 'first' },
    ])
    const again = after(...IN_CALL, LOST, BACK, MEET)
    deepEqual(does(again.last), ['renew_link', 'send_connected'])
  })

  test('restarts ICE when signaling returns and media is broken', () => {
    ok(does(after(...IN_CALL, LOST, DISCONNECTED, BACK, MEET).last).includes('restart_ice'))
  })

  test('joins a call that was started without signaling once signaling is ready', () => {
    ok(!does(after(LOST, START).last).includes('join'))
    deepEqual(after(LOST, START, BACK).last, [{ type: 'join', session_id: 1 }])
  })

  test('opens a new connection for a new guid and sends PEER_CONNECTED again', () => {
    const rebuilt = after(...IN_CALL, MEET_SECOND)
    deepEqual(does(rebuilt.last), ['close_link', 'cancel_timer', 'open_link'])
    partialDeepStrictEqual(rebuilt.state, {
      phase: 'reconnecting',
      session_guid: 'second',
      connected_sent: false,
    })
    const partnerSeen = after(...IN_CALL, MEET_SECOND, {
      type: 'first_frame',
      session_guid: 'second',
    })
    ok(
      partnerSeen.last.some((each) =>
        isDeepStrictEqual(each, {
          type: 'send_connected',
          session_id: 1,
          session_guid: 'second',
        }),
      ),
    )
  })
})

const ANYTHING: EngineEvent[] = [
  ...[START, { type: 'started', session_id: 2, ahead: SECOND } as const, MEET, MEET_SECOND],
  ...[CONNECTED, DISCONNECTED, FAILED, FRAME, LOST, BACK],
  ...[
    { type: 'network_changed' } as const,
    { type: 'ended' } as const,
    { type: 'join_refused', session_id: 1 } as const,
    { type: 'join_delayed', session_id: 1, in_ms: 1 } as const,
  ],
  ...(['restart', 'slow', 'give_up', 'rejoin'] as const).map(
    (timer) => ({ type: 'timer_fired', timer }) as const,
  ),
]

test('in any order of events: one connection at a time, PEER_CONNECTED only after a frame, no connection after the end', () => {
  assert(
    property(array(constantFrom(...ANYTHING), { maxLength: 40 }), (history) => {
      let state: EngineState = { ...IDLE_STATE, signaling: 'up' }
      let open: string | null = null
      let framed = new Set<string>()
      for (const event of history) {
        if (event.type === 'first_frame' && event.session_guid === open)
          framed.add(event.session_guid)
        const decision = decide(state, event)
        for (const command of decision.commands) {
          if (command.type === 'close_link') {
            notEqual(open, null)
            open = null
            framed = new Set()
          }
          if (command.type === 'open_link') {
            equal(open, null)
            open = command.peer.session_guid
          }
          if (command.type === 'restart_ice' || command.type === 'renew_link') notEqual(open, null)
          if (command.type === 'send_connected') ok(framed.has(command.session_guid))
        }
        state = decision.state
        equal(state.session_guid, open)
      }
    }),
  )
})
