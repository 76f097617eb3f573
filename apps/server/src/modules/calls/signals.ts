import type { Signal, SignalSent } from '@duet/protocol/contracts/signaling.ts'
import { newUuid } from '../../lib/ids.ts'
import { refuse } from '../../lib/refusal.ts'
import type { App } from '../../core/app.ts'
import type { Guest, Member } from '../../core/viewer.ts'
import type { SignalsOf } from '../../core/module.ts'
import { otherSide, type Side } from './call/call.ts'
import { happen } from './happen.ts'
import { idOf, liveCall, sideOf, type LiveCall } from './live.ts'
import { keepLog } from './session-log.ts'
import { relayed } from './relay-only.ts'
import { keepSignal, renewDesk, takeKept } from './signal-desk.ts'

type Viewer = Guest | Member

/** The open call that this viewer is a party of; for everybody else it is not there. */
function partyOf(
  app: App,
  viewer: Viewer,
  session_id: number | undefined,
): { live: LiveCall; side: Side } {
  const live = session_id === undefined ? undefined : liveCall(app, session_id)
  const side = live && sideOf(live.call, viewer.id)
  return live && side ? { live, side } : refuse('not_found')
}

/** Ready for the call: with the running guid nothing is rebuilt, without it both begin a fresh connection. */
async function joinSession(
  app: App,
  viewer: Viewer,
  { session_id, session_guid }: SignalSent<'JOIN_SESSION'>,
): Promise<void> {
  const { live, side } = partyOf(app, viewer, session_id)
  // Present is who has both sockets; without the main one this one is opened anew when that is back.
  if (!app.realtime.local.activeConnection(viewer.id)?.main) refuse('session_invalid')
  const { desk } = live
  const goesOn = desk.started && session_guid === desk.guid
  const wasIn = desk.joined[side]
  // A reload of somebody who had begun: what the other holds leads nowhere now.
  if (!goesOn && (desk.started || (wasIn && desk.joined[otherSide(side)])))
    renewDesk(desk, newUuid())
  desk.joined[side] = true
  await happen(app, live, { kind: 'joined', side, session_guid: desk.guid })
  if (live.call.status === 'closed') refuse('not_found')
  // Lost socket or restarted server: only the joiner is told, with fresh credentials; what was said meanwhile follows.
  if (goesOn) return sendNewPeer(app, live, side)
  // Both may have come in while the first one's joining was carried out: one of them says it.
  if (!desk.joined[otherSide(side)] || desk.started) return
  desk.started = true
  for (const one of ['guy', 'girl'] as const) sendNewPeer(app, live, one)
}

function sendNewPeer(app: App, live: LiveCall, side: Side): void {
  const { desk, call } = live
  const user_id = idOf(call, side)
  app.realtime.sendSignal(user_id, 'new_peer', {
    session_id: call.session_id,
    session_guid: desk.guid,
    initiator: side === 'guy',
    turn_params: JSON.stringify(app.relay.paramsFor(`${desk.guid}.${user_id}`, app.clock.now())),
  })
  for (const signal of takeKept(desk, side, app.clock.now().epochMilliseconds))
    app.realtime.sendSignal(user_id, 'peer_signal', signal)
}

/** To the other page, or kept for it. A signal of another guid is a message to somebody who is no more. */
async function webrtcSignal(app: App, viewer: Viewer, signal: Signal): Promise<void> {
  const { live, side } = partyOf(app, viewer, signal.session_id)
  const { desk, call } = live
  if (signal.session_guid !== desk.guid) return
  const passed = relayed(signal, app.relay.is_only_way)
  if (!passed) return
  const to = otherSide(side)
  if (desk.joined[to] && app.realtime.local.activeConnection(idOf(call, to))?.signal)
    app.realtime.sendSignal(idOf(call, to), 'peer_signal', passed)
  else keepSignal(desk, to, passed, app.clock.now().epochMilliseconds)
}

async function peerConnected(
  app: App,
  viewer: Viewer,
  { session_id, session_guid }: SignalSent<'PEER_CONNECTED'>,
): Promise<void> {
  const { live, side } = partyOf(app, viewer, session_id)
  await happen(app, live, { kind: 'peer_connected', side, session_guid })
}

async function peerNotConnected(
  app: App,
  viewer: Viewer,
  { session_id, session_guid }: SignalSent<'PEER_NOT_CONNECTED'>,
): Promise<void> {
  const { live, side } = partyOf(app, viewer, session_id)
  await happen(app, live, { kind: 'peer_not_connected', side, session_guid })
}

async function peerState(
  app: App,
  viewer: Viewer,
  { session_id, ...state }: SignalSent<'PEER_STATE'>,
): Promise<void> {
  const { live, side } = partyOf(app, viewer, session_id)
  await happen(app, live, { kind: 'reported', side, ...state })
}

export const signals = {
  JOIN_SESSION: joinSession,
  WEBRTC_SIGNAL: webrtcSignal,
  PEER_CONNECTED: peerConnected,
  PEER_NOT_CONNECTED: peerNotConnected,
  PEER_STATE: peerState,
  LOG: keepLog,
} satisfies SignalsOf
