import { plusMs } from '../../lib/clock.ts'
import type { App } from '../../core/app.ts'
import type { ConnectionChange } from '../../core/realtime.ts'
import { setting } from '../settings/index.ts'
import { partyOfCurrentCall } from './call-registry.ts'
import { sendHints } from './requests/hints.ts'
import { callProcess, dispatchEvent } from './process.ts'
import { followRelayAddresses } from './signaling/relay-addresses.ts'
import { storeTick } from './store.ts'

/**
 * Starts everything that drives calls besides their users: recovery and wake-ups (the process runtime), connection
 * changes, and the tick that stores what the meters counted.
 */
export async function startCallScheduler(app: App): Promise<() => Promise<void>> {
  const runtime = callProcess(app)
  await runtime.start()
  const stopListening = app.realtime.local.onConnectionChange((change) =>
    applyConnectionChange(app, change),
  )
  const stopTicks = startTicks(app)
  const stopRelay = await followRelayAddresses(app)
  return async () => {
    stopRelay()
    stopTicks()
    stopListening()
    await runtime.stop()
    await tick(app)
  }
}

/** The next tick is scheduled after this tick has ended, so that a slow database does not pile up ticks. */
function startTicks(app: App): () => void {
  let isStopped = false
  let cancel = () => {}
  const scheduleNext = () => {
    if (isStopped) return
    const at = plusMs(app.clock.now(), setting(app, 'meter_round') * 1000)
    cancel = app.clock.at(at, () => {
      sendHints(app)
      const done = tick(app)
      app.background('storing the counted time of calls', done)
      void done.then(scheduleNext, scheduleNext)
    })
  }
  scheduleNext()
  return () => {
    isStopped = true
    cancel()
  }
}

/** Stores what the meters counted since the last tick, for all calls of this server process in one statement. */
async function tick(app: App): Promise<void> {
  const runtime = callProcess(app)
  const counted = [...runtime.all()]
    .filter(({ state, stored }) => state.call.good_ms !== stored.call.good_ms)
    .map(({ id, state, fence }) => ({ id, state, fence }))
  const stored = await storeTick(
    app,
    counted.map(({ state, fence }) => ({ call: state.call, fence })),
  )
  for (const { id, state } of counted) if (stored.has(id)) runtime.markStored(id, state)
  const unchanged = counted.filter(({ id }) => !stored.has(id))
  // Another server process may own these calls now; then their meters must stop here.
  await Promise.all(unchanged.map(({ id }) => runtime.compareWithRow(id)))
}

/** A party lost a socket, or opened a socket. */
function applyConnectionChange(
  app: App,
  { user_id, socket, state, reason }: ConnectionChange,
): void {
  const party = partyOfCurrentCall(app, user_id)
  if (!party) return
  const { registered, call, side } = party
  const { joined } = registered.signals
  const hadJoined = joined[side]
  // The old signaling socket may be lost without notice, so the new socket counts as not joined.
  if (socket === 'signal') registered.signals.ready[side] = joined[side] = false
  const dispatch = (type: 'taken_over' | 'socket_lost' | 'socket_restored') =>
    app.background(
      'applying a connection change to a call',
      dispatchEvent(app, call.session_id, { type, side }),
      { session_id: call.session_id },
    )
  if (state === 'down') dispatch(reason === 'takeover' ? 'taken_over' : 'socket_lost')
  else if (hadJoined && socket === 'signal') dispatch('socket_lost')
  // A new main socket completes a signaling socket that stayed open.
  else if (hadJoined && app.realtime.local.activeConnection(user_id)?.signal)
    dispatch('socket_restored')
}
