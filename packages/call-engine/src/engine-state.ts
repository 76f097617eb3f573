import type { NotConnectedReason } from './signaling/signal-port.ts'
import type { TurnParams } from './link/turn-params.ts'

/**
 * What a call is and may do next: a pure function, driven by the engine and by the tests alike. Nobody else decides.
 *
 * The server decides when a call is over (`close_session`); the engine only tells what it sees and keeps trying.
 */

export type CallPhase = 'idle' | 'joining' | 'negotiating' | 'connected' | 'reconnecting' | 'ended'
export type LinkState = 'connecting' | 'connected' | 'disconnected' | 'failed'
export type Wake = 'restart' | 'slow' | 'give_up'

export interface CallState {
  phase: CallPhase
  session_id: number | null
  /** Of the connection in use; a new one means a fresh connection. */
  session_guid: string | null
  signalling: 'up' | 'lost'
  link: LinkState | null
  /** The server has named this guid, so we may come back with it. */
  acquainted: boolean
  /** The partner was seen on this connection, and PEER_CONNECTED said so. */
  announced: boolean
  /** PEER_NOT_CONNECTED was told of this connection; it counts a failure, and one is one. */
  failure_told: boolean
  /** The partner was seen at least once in this call. */
  seen: boolean
  trouble: 'slow' | 'not_connected' | 'refused' | null
}

export interface Peer {
  session_guid: string
  initiator: boolean
  turn: TurnParams
}

export type Happened =
  | { what: 'started'; session_id: number; ahead?: Peer }
  | { what: 'new_peer'; session_id: number; peer: Peer }
  | { what: 'link_changed'; session_guid: string; link: LinkState }
  | { what: 'first_frame'; session_guid: string }
  | { what: 'signal_lost' }
  | { what: 'signal_back' }
  | { what: 'join_refused'; session_id: number }
  | { what: 'network_changed' }
  | { what: 'woke'; wake: Wake }
  | { what: 'ended' }

export type Effect =
  | { do: 'join'; session_id: number; session_guid?: string }
  | { do: 'open_link'; peer: Peer }
  | { do: 'renew_link'; turn: TurnParams }
  | { do: 'restart_ice' }
  | { do: 'close_link' }
  | { do: 'tell_connected'; session_id: number; session_guid: string }
  | {
      do: 'tell_not_connected'
      session_id: number
      session_guid: string
      reason: NotConnectedReason
    }
  | { do: 'wake'; wake: Wake; in_ms: number }
  | { do: 'let_sleep'; wake: Wake }

/** `ui.md` section 6: "Taking longer than usual" after 5 s, "We couldn't connect you" after 15 s. */
export const SLOW_MS = 5_000
export const GIVE_UP_MS = 15_000
/** A short dip heals by itself more often than not; restarting at once would cost a round of signalling each time. */
export const DISCONNECTED_MS = 3_000
/** Until the server gives up after 15 s of broken media there is room for three tries. */
export const RESTART_AGAIN_MS = 5_000

export const IDLE: CallState = Object.freeze({
  phase: 'idle',
  session_id: null,
  session_guid: null,
  signalling: 'lost',
  link: null,
  acquainted: false,
  announced: false,
  failure_told: false,
  seen: false,
  trouble: null,
})

export interface Decision {
  call: CallState
  effects: Effect[]
}

const SLEEP: Effect[] = [
  { do: 'let_sleep', wake: 'restart' },
  { do: 'let_sleep', wake: 'slow' },
  { do: 'let_sleep', wake: 'give_up' },
]

export function decide(call: CallState, happened: Happened): Decision {
  switch (happened.what) {
    case 'started':
      return start(call, happened.session_id, happened.ahead)
    case 'new_peer':
      return meet(call, happened.session_id, happened.peer)
    case 'link_changed':
      return isCurrent(call, happened.session_guid)
        ? changeLink(call, happened.link)
        : nothing(call)
    case 'first_frame':
      return isCurrent(call, happened.session_guid) ? see(call) : nothing(call)
    case 'signal_lost':
      return { call: { ...call, signalling: 'lost' }, effects: [] }
    case 'signal_back':
      return comeBack({ ...call, signalling: 'up' })
    case 'join_refused':
      return call.session_id === happened.session_id ? end(call, 'refused') : nothing(call)
    case 'network_changed':
      return isOpen(call) && call.acquainted && call.session_guid !== null
        ? restart(call)
        : nothing(call)
    case 'woke':
      return wakeUp(call, happened.wake)
    case 'ended':
      return end(call, null)
  }
}

export function isOpen(call: CallState): boolean {
  return call.phase !== 'idle' && call.phase !== 'ended'
}

function nothing(call: CallState): Decision {
  return { call, effects: [] }
}

function isCurrent(call: CallState, session_guid: string): boolean {
  return isOpen(call) && call.session_guid === session_guid
}

/** The same call again (a new price, private instead of public) changes nothing: media is not rebuilt. */
function start(call: CallState, session_id: number, ahead: Peer | undefined): Decision {
  if (isOpen(call) && call.session_id === session_id) return nothing(call)
  const effects: Effect[] = isOpen(call) ? end(call, null).effects : []
  if (ahead) effects.push({ do: 'open_link', peer: ahead })
  if (call.signalling === 'up') effects.push({ do: 'join', session_id })
  effects.push(
    { do: 'wake', wake: 'slow', in_ms: SLOW_MS },
    { do: 'wake', wake: 'give_up', in_ms: GIVE_UP_MS },
  )
  return {
    call: {
      ...IDLE,
      phase: 'joining',
      session_id,
      session_guid: ahead?.session_guid ?? null,
      link: ahead ? 'connecting' : null,
      signalling: call.signalling,
    },
    effects,
  }
}

function meet(call: CallState, session_id: number, peer: Peer): Decision {
  if (!isOpen(call) || call.session_id !== session_id) return nothing(call)
  if (call.session_guid === peer.session_guid) return meetAgain(call, peer)
  const effects: Effect[] = call.session_guid === null ? [] : [{ do: 'close_link' }]
  effects.push({ do: 'let_sleep', wake: 'restart' }, { do: 'open_link', peer })
  return {
    call: {
      ...call,
      phase: call.seen ? 'reconnecting' : 'negotiating',
      session_guid: peer.session_guid,
      link: 'connecting',
      acquainted: true,
      announced: false,
      failure_told: false,
    },
    effects,
  }
}

/** The running guid: the link stays. PEER_CONNECTED is told once more, since the first one may have died with the old socket. */
function meetAgain(call: CallState, peer: Peer): Decision {
  const effects: Effect[] = [{ do: 'renew_link', turn: peer.turn }]
  if (call.acquainted && call.link !== 'connected') effects.push({ do: 'restart_ice' })
  if (call.announced) effects.push(tellConnected(call))
  return {
    call: {
      ...call,
      acquainted: true,
      phase: call.phase === 'joining' ? 'negotiating' : call.phase,
    },
    effects,
  }
}

function changeLink(before: CallState, link: LinkState): Decision {
  const call = { ...before, link }
  if (link === 'connected') {
    return {
      call: { ...call, phase: call.announced ? 'connected' : call.phase },
      effects: [{ do: 'let_sleep', wake: 'restart' }],
    }
  }
  if (link === 'connecting') return nothing(call)
  const broken: CallState = { ...call, phase: call.seen ? 'reconnecting' : call.phase }
  if (link === 'disconnected')
    return { call: broken, effects: [{ do: 'wake', wake: 'restart', in_ms: DISCONNECTED_MS }] }
  return broken.seen ? restart(broken) : together(restart(broken), fail(broken, 'ice_failed'))
}

function see(call: CallState): Decision {
  if (call.announced) return nothing(call)
  return {
    call: { ...call, phase: 'connected', announced: true, seen: true, trouble: null },
    effects: [
      tellConnected(call),
      { do: 'let_sleep', wake: 'slow' },
      { do: 'let_sleep', wake: 'give_up' },
    ],
  }
}

/** With the guid if the server ever told it to us: then media stays. Without it he takes us for a reloaded page, and both begin afresh. */
function comeBack(call: CallState): Decision {
  if (!isOpen(call) || call.session_id === null) return nothing(call)
  const running =
    call.acquainted && call.session_guid !== null ? { session_guid: call.session_guid } : {}
  return { call, effects: [{ do: 'join', session_id: call.session_id, ...running }] }
}

function wakeUp(call: CallState, wake: Wake): Decision {
  if (!isOpen(call)) return nothing(call)
  if (wake === 'restart')
    return call.link === null || call.link === 'connected' ? nothing(call) : restart(call)
  if (call.seen) return nothing(call)
  if (wake === 'slow') return nothing({ ...call, trouble: call.trouble ?? 'slow' })
  return fail({ ...call, trouble: 'not_connected' }, 'timeout')
}

function fail(call: CallState, reason: NotConnectedReason): Decision {
  if (call.session_guid === null || call.failure_told) return nothing(call)
  return {
    call: { ...call, failure_told: true },
    effects: [{ do: 'tell_not_connected', ...named(call), reason }],
  }
}

function restart(call: CallState): Decision {
  return {
    call,
    effects: [{ do: 'restart_ice' }, { do: 'wake', wake: 'restart', in_ms: RESTART_AGAIN_MS }],
  }
}

function end(call: CallState, trouble: CallState['trouble']): Decision {
  if (!isOpen(call)) return nothing(call)
  const close: Effect[] = call.session_guid === null ? [] : [{ do: 'close_link' }]
  return {
    call: {
      ...call,
      phase: 'ended',
      link: null,
      session_guid: null,
      acquainted: false,
      announced: false,
      trouble,
    },
    effects: [...close, ...SLEEP],
  }
}

function named(call: CallState): { session_id: number; session_guid: string } {
  if (call.session_id === null || call.session_guid === null)
    throw new Error('a call without a connection has nothing to tell')
  return { session_id: call.session_id, session_guid: call.session_guid }
}

function tellConnected(call: CallState): Effect {
  return { do: 'tell_connected', ...named(call) }
}

/** The first decision's doing, then the second's; the second knew what the first left. */
function together(first: Decision, second: Decision): Decision {
  return { call: second.call, effects: [...first.effects, ...second.effects] }
}
