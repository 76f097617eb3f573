import type { EngineCommand, EngineEvent, EngineTimer, LinkState, Peer } from './engine-events.ts'
import { IDLE_STATE, isOpen, type EngineState } from './engine-facts.ts'
import type { NotConnectedReason } from './signaling/signaling-port.ts'

/**
 * The state machine of one call in the browser. `decide(state, event)` is pure and returns the next state and the
 * commands. The engine and the tests call the same function; no other code decides.
 *
 * The server decides when a call is over (`close_session`). The engine reports its observations and keeps trying to
 * connect.
 */

/** The screen shows "Taking longer than usual" after 5 s and "We couldn't connect you" after 15 s. */
export const SLOW_MS = 5_000
export const GIVE_UP_MS = 15_000
/**
 * A short interruption usually ends without help. An immediate ICE restart would cost a signaling round trip each time.
 */
export const DISCONNECTED_MS = 3_000
/** The server ends the call after 15 s of broken media, which leaves time for three attempts. */
export const RESTART_AGAIN_MS = 5_000

export interface EngineDecision {
  state: EngineState
  commands: EngineCommand[]
}

const CANCEL_TIMERS: EngineCommand[] = [
  { type: 'cancel_timer', timer: 'restart' },
  { type: 'cancel_timer', timer: 'slow' },
  { type: 'cancel_timer', timer: 'give_up' },
  { type: 'cancel_timer', timer: 'rejoin' },
]

export function decide(state: EngineState, event: EngineEvent): EngineDecision {
  switch (event.type) {
    case 'started':
      return start(state, event)
    case 'new_peer':
      return acceptPeer(state, event.session_id, event.peer)
    case 'link_changed':
      return isCurrent(state, event.session_guid) ? changeLink(state, event.link) : unchanged(state)
    case 'first_frame':
      return isCurrent(state, event.session_guid) ? acceptFirstFrame(state) : unchanged(state)
    case 'signaling_lost':
      return { state: { ...state, signaling: 'lost' }, commands: [] }
    case 'signaling_ready':
      return rejoin({ ...state, signaling: 'up' })
    case 'join_refused':
      return state.session_id === event.session_id ? end(state, 'refused') : unchanged(state)
    case 'join_delayed':
      return state.session_id === event.session_id && isOpen(state)
        ? { state, commands: [{ type: 'start_timer', timer: 'rejoin', in_ms: event.in_ms }] }
        : unchanged(state)
    case 'network_changed':
      return isOpen(state) && state.guid_confirmed && state.session_guid !== null
        ? restart(state)
        : unchanged(state)
    case 'timer_fired':
      return onTimer(state, event.timer)
    case 'ended':
      return end(state, null)
  }
}

function unchanged(state: EngineState): EngineDecision {
  return { state, commands: [] }
}

function isCurrent(state: EngineState, session_guid: string): boolean {
  return isOpen(state) && state.session_guid === session_guid
}

/** Starting the running call again (a new price, private instead of public) changes nothing: media is not rebuilt. */
function start(
  state: EngineState,
  { session_id, ahead, prepared }: Extract<EngineEvent, { type: 'started' }>,
): EngineDecision {
  if (isOpen(state) && state.session_id === session_id) return unchanged(state)
  const commands: EngineCommand[] = isOpen(state) ? end(state, null).commands : []
  if (ahead) commands.push({ type: 'open_link', peer: ahead })
  const running = prepared === undefined ? {} : { session_guid: prepared }
  if (prepared !== undefined) commands.push({ type: 'take_standby', session_guid: prepared })
  if (state.signaling === 'up') commands.push({ type: 'join', session_id, ...running })
  commands.push(
    { type: 'start_timer', timer: 'slow', in_ms: SLOW_MS },
    { type: 'start_timer', timer: 'give_up', in_ms: GIVE_UP_MS },
  )
  return {
    state: {
      ...IDLE_STATE,
      phase: 'joining',
      session_id,
      session_guid: prepared ?? ahead?.session_guid ?? null,
      link: prepared === undefined ? (ahead ? 'connecting' : null) : 'connected',
      is_prepared: prepared !== undefined,
      guid_confirmed: prepared !== undefined,
      signaling: state.signaling,
    },
    commands,
  }
}

function acceptPeer(state: EngineState, session_id: number, peer: Peer): EngineDecision {
  if (!isOpen(state) || state.session_id !== session_id) return unchanged(state)
  if (state.session_guid === peer.session_guid) return confirmPeer(state, peer)
  const commands: EngineCommand[] = state.session_guid === null ? [] : [{ type: 'close_link' }]
  commands.push({ type: 'cancel_timer', timer: 'restart' }, { type: 'open_link', peer })
  return {
    state: {
      ...state,
      phase: state.partner_seen ? 'reconnecting' : 'negotiating',
      session_guid: peer.session_guid,
      link: 'connecting',
      is_prepared: false,
      guid_confirmed: true,
      connected_sent: false,
      failure_sent: false,
    },
    commands,
  }
}

/**
 * If the guid is the running guid, the link stays. PEER_CONNECTED is sent again, because the first PEER_CONNECTED may
 * have been lost with the old socket, or waited for `new_peer`.
 */
function confirmPeer(state: EngineState, peer: Peer): EngineDecision {
  const commands: EngineCommand[] = [{ type: 'renew_link', turn: peer.turn }]
  if (state.guid_confirmed && state.link !== 'connected') commands.push({ type: 'restart_ice' })
  if (state.connected_sent) commands.push(sendConnected(state))
  return {
    state: {
      ...state,
      guid_confirmed: true,
      phase: state.phase === 'joining' ? 'negotiating' : state.phase,
    },
    commands,
  }
}

function changeLink(before: EngineState, link: LinkState): EngineDecision {
  const state = { ...before, link }
  if (link === 'connected') {
    return {
      state: { ...state, phase: state.connected_sent ? 'connected' : state.phase },
      commands: [{ type: 'cancel_timer', timer: 'restart' }],
    }
  }
  if (link === 'connecting') return unchanged(state)
  if (link === 'failed' && isUnseenStandby(state)) return connectAnew(state)
  const broken: EngineState = { ...state, phase: state.partner_seen ? 'reconnecting' : state.phase }
  if (link === 'disconnected')
    return {
      state: broken,
      commands: [{ type: 'start_timer', timer: 'restart', in_ms: DISCONNECTED_MS }],
    }
  return broken.partner_seen
    ? restart(broken)
    : combine(restart(broken), fail(broken, 'ice_failed'))
}

function acceptFirstFrame(state: EngineState): EngineDecision {
  if (state.connected_sent) return unchanged(state)
  return {
    state: {
      ...state,
      phase: 'connected',
      connected_sent: true,
      partner_seen: true,
      trouble: null,
    },
    commands: [
      // A prepared connection may show the partner before the server has heard both JOIN_SESSION.
      ...(state.phase === 'joining' ? [] : [sendConnected(state)]),
      { type: 'cancel_timer', timer: 'slow' },
      { type: 'cancel_timer', timer: 'give_up' },
    ],
  }
}

/**
 * If the server confirmed the guid, joins with the guid, and the media stays. Without a guid the server treats the page
 * as reloaded, and both sides reconnect.
 */
function rejoin(state: EngineState): EngineDecision {
  if (!isOpen(state) || state.session_id === null) return unchanged(state)
  const running =
    state.guid_confirmed && state.session_guid !== null ? { session_guid: state.session_guid } : {}
  return { state, commands: [{ type: 'join', session_id: state.session_id, ...running }] }
}

function onTimer(state: EngineState, timer: EngineTimer): EngineDecision {
  if (!isOpen(state)) return unchanged(state)
  if (timer === 'rejoin') return state.signaling === 'up' ? rejoin(state) : unchanged(state)
  if (timer === 'restart')
    return state.link === null || state.link === 'connected' ? unchanged(state) : restart(state)
  if (state.partner_seen) return unchanged(state)
  if (timer === 'slow') {
    const slow: EngineState = { ...state, trouble: state.trouble ?? 'slow' }
    if (isUnseenStandby(slow)) return connectAnew(slow)
    return { state: slow, commands: slow.link === 'connected' ? [{ type: 'send_state' }] : [] }
  }
  return fail({ ...state, trouble: 'not_connected' }, 'timeout')
}

function isUnseenStandby(state: EngineState): boolean {
  return state.is_prepared && !state.partner_seen
}

/** The prepared connection is of no use: without a guid the server lets both pages start a new connection. */
function connectAnew(state: EngineState): EngineDecision {
  const { state: next, commands } = rejoin({
    ...state,
    session_guid: null,
    link: null,
    is_prepared: false,
    guid_confirmed: false,
  })
  return { state: next, commands: [{ type: 'close_link' }, ...commands] }
}

function fail(state: EngineState, reason: NotConnectedReason): EngineDecision {
  if (state.session_guid === null || state.failure_sent) return unchanged(state)
  return {
    state: { ...state, failure_sent: true },
    commands: [{ type: 'send_not_connected', ...callIds(state), reason }],
  }
}

function restart(state: EngineState): EngineDecision {
  return {
    state,
    commands: [
      { type: 'restart_ice' },
      { type: 'start_timer', timer: 'restart', in_ms: RESTART_AGAIN_MS },
    ],
  }
}

function end(state: EngineState, trouble: EngineState['trouble']): EngineDecision {
  if (!isOpen(state)) return unchanged(state)
  const close: EngineCommand[] = state.session_guid === null ? [] : [{ type: 'close_link' }]
  return {
    state: {
      ...state,
      phase: 'ended',
      link: null,
      session_guid: null,
      guid_confirmed: false,
      connected_sent: false,
      trouble,
    },
    commands: [...close, ...CANCEL_TIMERS],
  }
}

function callIds(state: EngineState): { session_id: number; session_guid: string } {
  if (state.session_id === null || state.session_guid === null)
    throw new Error('a call without a connection has nothing to report')
  return { session_id: state.session_id, session_guid: state.session_guid }
}

function sendConnected(state: EngineState): EngineCommand {
  return { type: 'send_connected', ...callIds(state) }
}

/** The commands of both decisions in order. The second decision was made on the state after the first. */
function combine(first: EngineDecision, second: EngineDecision): EngineDecision {
  return { state: second.state, commands: [...first.commands, ...second.commands] }
}
