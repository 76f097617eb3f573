import { plusMs } from '../../lib/clock.ts'
import type { App } from '../../core/app.ts'
import type { ConnectionChange } from '../../platform/realtime/realtime.ts'
import { setting } from '../settings/index.ts'
import { happen } from './happen.ts'
import { enliven, liveCall, liveCallOf, liveCalls, newLiveCall, sideOf } from './live.ts'
import { callById, openCallIds, storeRound } from './store.ts'

/** How many calls are looked at together: the pool has other work too. */
const recovered_together = 20
const search_lost_ms = 60_000
/** Who opens a call knows it by then. */
const opened_ms = 10_000

/**
 * What keeps calls going: the round of each second, sockets that come and go, and the recovery after a restart.
 */
export async function keepCallsGoing(app: App): Promise<() => Promise<void>> {
  await recover(app)
  const stopHearing = app.realtime.local.onConnectionChange((change) => lineChanged(app, change))
  const stopRounds = keepRounding(app)
  const stopSearching = app.clock.every(search_lost_ms, () => {
    recover(app, plusMs(app.clock.now(), -opened_ms)).catch((error: unknown) =>
      app.log.error({ err: error }, 'lost calls could not be looked for'),
    )
  })
  return async () => {
    stopRounds()
    stopSearching()
    stopHearing()
    for (const live of liveCalls(app)) live.cancelWake()
    // What was counted up to now is not lost with the process.
    await storeRound(
      app,
      [...liveCalls(app)].map(({ call }) => call),
    )
  }
}

/**
 * Every open call that is not known here is settled to its last stored round and waits for both to come back: after a
 * restart all of them, later one whose opening was committed while the database went away.
 */
async function recover(app: App, opened_by?: Temporal.Instant): Promise<void> {
  const lost = (await openCallIds(app.db, opened_by)).filter(
    (session_id) => !liveCall(app, session_id),
  )
  for (let at = 0; at < lost.length; at += recovered_together) {
    const some = lost.slice(at, at + recovered_together)
    await Promise.all(
      some.map((id) => report(app, takeUp(app, id), 'a call could not be taken up again')),
    )
  }
}

async function takeUp(app: App, session_id: number): Promise<void> {
  const stored = await callById(app.db, session_id)
  if (!stored || stored.call.status === 'closed' || liveCall(app, session_id)) return
  const live = newLiveCall(stored.call)
  enliven(app, live, stored)
  const { guy_id, girl_id, state } = stored.call
  await app.transact((tx) =>
    tx.publish('call_opened', { session_id, guy_id, girl_id, state, recovered: true }),
  )
  await happen(app, live, { kind: 'server_back' })
}

/** The next round begins when this one is over: a database that is slow does not pile them up. */
function keepRounding(app: App): () => void {
  let isOver = false
  let cancel = () => {}
  const wait = () => {
    if (isOver) return
    cancel = app.clock.at(plusMs(app.clock.now(), setting(app, 'meter_round') * 1000), () => {
      void report(app, round(app), 'a round of the meter failed').then(wait)
    })
  }
  wait()
  return () => {
    isOver = true
    cancel()
  }
}

/** Asks every call whether something is due, and stores for all of them, in one statement, what was counted. */
async function round(app: App): Promise<void> {
  const now_ms = app.clock.now().epochMilliseconds
  const due = [...liveCalls(app)].filter(
    ({ call }) => call.wake_at !== null && call.wake_at.epochMilliseconds <= now_ms,
  )
  // A call that cannot go on keeps no other from being counted.
  await Promise.all(
    due.map((live) => report(app, happen(app, live, { kind: 'round' }), 'a call could not go on')),
  )
  const counted = [...liveCalls(app)]
    .filter((live) => live.call.good_ms !== live.stored_good_ms)
    .map((live) => ({ live, call: live.call }))
  await storeRound(
    app,
    counted.map(({ call }) => call),
  )
  for (const { live, call } of counted) live.stored_good_ms = call.good_ms
}

/** Somebody in a call lost a socket, or has both again. */
function lineChanged(
  app: App,
  { user_id, socket: what, state, reason: why }: ConnectionChange,
): void {
  const live = liveCallOf(app, user_id)
  const side = live && sideOf(live.call, user_id)
  if (!live || !side) return
  const { joined } = live.desk
  const wasIn = joined[side]
  // A fresh signalling socket has joined nothing yet, also where it replaces one that was not seen to go.
  if (what === 'signal') joined[side] = false
  const tell = (kind: 'taken_over' | 'socket_lost' | 'socket_back') =>
    void report(app, happen(app, live, { kind, side }), 'a call could not follow its sockets')
  if (state === 'down') tell(why === 'takeover' ? 'taken_over' : 'socket_lost')
  else if (wasIn && what === 'signal') tell('socket_lost')
  // A main socket completes a signalling socket that stayed.
  else if (wasIn && app.realtime.local.activeConnection(user_id)?.signal) tell('socket_back')
}

function report(app: App, done: Promise<unknown>, otherwise: string): Promise<void> {
  return done.then(
    () => {},
    (error: unknown) => app.log.error({ err: error }, otherwise),
  )
}
