import { otherRole } from '@duet/protocol/kernel/roles.ts'
import type { Signal, SignalSent } from '@duet/protocol/contracts/signaling.ts'
import { newUuid } from '../../../lib/ids.ts'
import { refuse } from '../../../lib/refusal.ts'
import type { App } from '../../../core/app.ts'
import type { Guest, Member } from '../../../core/viewer.ts'
import type { SignalsOf } from '../../../core/module.ts'
import { getParty, registeredCall, type RegisteredCall } from '../call-registry.ts'
import { setPrepared, signalPreparation } from '../preparation/preparations.ts'
import { dispatchEvent } from '../process.ts'
import { getUserId, type Side } from '../rules/call.ts'
import { logLine } from './session-log.ts'
import { claimedParty } from './claim-call.ts'
import { filterSignal } from './signal-filter.ts'
import { buffer, drain, reset } from './signal-buffer.ts'
import { addressPolicy, makeTurnParams } from './turn-params.ts'

type Sender = Guest | Member

/** The page is ready for the call. With the current guid it continues; without it both sides start a new connection. */
async function joinSession(
  app: App,
  sender: Sender,
  { session_id, session_guid }: SignalSent<'JOIN_SESSION'>,
): Promise<void> {
  const { registered, side } = await claimedParty(app, sender.id, session_id)
  // A party is present with both sockets; when the main one returns, its page opens a new signaling socket.
  if (!app.realtime.local.activeConnection(sender.id)?.main) refuse('session_invalid')
  const { signals } = registered
  const isContinued = signals.started && session_guid === signals.guid
  if (!isContinued && isOutdated(registered, side, session_guid)) renewGuid(app, registered)
  signals.joined[side] = true
  // Signals wait in the buffer until this page has received `new_peer`, behind those that wait already.
  signals.ready[side] = false
  try {
    await dispatchEvent(app, session_id, { type: 'joined', side, session_guid: signals.guid })
  } catch (error) {
    signals.joined[side] = false
    throw error
  }
  if (registeredCall(app, session_id) !== registered) refuse('not_found')
  // Lost socket or restarted server: only the joining page gets fresh credentials, then the buffered signals.
  if (isContinued && session_guid === signals.guid) return sendNewPeer(app, registered, side)
  // Both may have joined while the first event was applied: one of them starts the connection.
  if (!signals.joined[otherRole(side)] || signals.started) return
  signals.started = true
  for (const each of ['guy', 'girl'] as const) sendNewPeer(app, registered, each)
}

/**
 * The other page's half of the connection is useless: this page has reloaded after the negotiation began, or
 * it does not have the prepared connection with which the call opened.
 */
function isOutdated(
  { signals, prepare_id }: RegisteredCall,
  side: Side,
  session_guid: string | undefined,
): boolean {
  if (prepare_id !== undefined && session_guid !== signals.guid) return true
  return signals.started || (signals.joined[side] && signals.joined[otherRole(side)])
}

/** Limited for each call: one party must not make the other's page rebuild its connection all the time. */
function renewGuid(app: App, registered: RegisteredCall): void {
  const waitMs = registered.takeFreshGuid(app.clock.now().epochMilliseconds)
  if (waitMs > 0) refuse('too_many', { retry_after: Math.ceil(waitMs / 1000) })
  registered.prepare_id = undefined
  reset(registered.signals, newUuid())
}

/** Sends `new_peer`, then the buffered signals. All of it in one step, so that no later signal overtakes them. */
function sendNewPeer(app: App, { stored: { call }, signals }: RegisteredCall, side: Side): void {
  const { session_id } = call
  const userId = getUserId(call, side)
  const connection = { session_id, session_guid: signals.guid }
  app.realtime.sendSignal(userId, 'new_peer', {
    ...connection,
    initiator: side === 'guy',
    turn_params: makeTurnParams(app, userId, connection),
  })
  for (const signal of drain(signals, side, app.clock.now().epochMilliseconds))
    app.realtime.sendSignal(userId, 'peer_signal', signal)
  signals.ready[side] = true
}

/** Forwards a signal to the other page, or buffers it. A signal of an earlier peer connection is dropped. */
async function webrtcSignal(app: App, sender: Sender, signal: Signal): Promise<void> {
  if (signal.prepare_id !== undefined)
    return signalPreparation(app, sender, signal.prepare_id, signal)
  const { registered, call, side } = getParty(app, sender.id, signal.session_id)
  const { signals } = registered
  if (signal.session_guid !== signals.guid) return
  const allowed = filterSignal(signal, addressPolicy(app), signals.sent[side])
  if (!allowed) return
  const to = otherRole(side)
  const userId = getUserId(call, to)
  if (signals.ready[to] && app.realtime.local.activeConnection(userId)?.signal)
    app.realtime.sendSignal(userId, 'peer_signal', allowed)
  else buffer(signals, to, allowed, app.clock.now().epochMilliseconds)
  // A page may receive the girl's camera from here on and never report it.
  if (signal.type_signal === 'reached' && side === 'guy' && !call.guy.reached)
    await dispatchEvent(app, call.session_id, { type: 'reached', side })
}

async function peerConnected(
  app: App,
  sender: Sender,
  { session_id, session_guid }: SignalSent<'PEER_CONNECTED'>,
): Promise<void> {
  const { call, side } = getParty(app, sender.id, session_id)
  await dispatchEvent(app, call.session_id, { type: 'peer_connected', side, session_guid })
}

async function peerNotConnected(
  app: App,
  sender: Sender,
  { session_id, session_guid }: SignalSent<'PEER_NOT_CONNECTED'>,
): Promise<void> {
  const { call, side } = getParty(app, sender.id, session_id)
  await dispatchEvent(app, call.session_id, { type: 'peer_not_connected', side, session_guid })
}

async function peerState(
  app: App,
  sender: Sender,
  { session_id, ...report }: SignalSent<'PEER_STATE'>,
): Promise<void> {
  const { call, side } = getParty(app, sender.id, session_id)
  await dispatchEvent(app, call.session_id, { type: 'reported', side, ...report })
}

export const signals = {
  JOIN_SESSION: joinSession,
  WEBRTC_SIGNAL: webrtcSignal,
  PEER_CONNECTED: peerConnected,
  PEER_NOT_CONNECTED: peerNotConnected,
  PEER_STATE: peerState,
  PREPARED: setPrepared,
  LOG: logLine,
} satisfies SignalsOf
