import type { App } from '../../context.ts'
import type { LineChange } from '../../platform/realtime/realtime.ts'
import { setting } from '../settings/index.ts'
import { countUnposted } from '../wallet/index.ts'
import { happen } from './happen.ts'
import { enliven, liveCallOf, liveCalls, newLiveCall, sideOf } from './live.ts'
import { unpostedOf } from './money.ts'
import { openCalls, storeRound } from './store.ts'

/**
 * What keeps calls going: the round of each second, sockets that come and go, and the recovery after a restart.
 */
export async function keepCallsGoing(app: App): Promise<() => Promise<void>> {
  countUnposted(app, async (_, user_id) => unpostedOf(app, user_id))
  await recover(app)
  const stopHearing = app.realtime.onLine((change) => lineChanged(app, change))
  const stopRounds = app.clock.every(setting(app, 'meter_round') * 1000, () => {
    round(app).catch((error: unknown) => app.log.error({ err: error }, 'a round of the meter failed'))
  })
  return async () => {
    stopRounds()
    stopHearing()
    for (const live of liveCalls(app)) live.cancelWake()
    // What was counted up to now is not lost with the process.
    await storeRound(
      app,
      [...liveCalls(app)].map(({ call }) => call),
    )
  }
}

/** Every open call is settled to its last stored round and waits for both to come back. */
async function recover(app: App): Promise<void> {
  for (const { call, money } of await openCalls(app.db)) {
    const live = newLiveCall(call)
    enliven(app, live, { call, money })
    const { session_id, guy_id, girl_id, state } = call
    await app.transact((tx) => tx.fact('call_opened', { session_id, guy_id, girl_id, state, recovered: true }))
    await happen(app, live, { kind: 'server_back' })
  }
}

/** Asks every call whether something is due, and stores for all of them, in one statement, what was counted. */
async function round(app: App): Promise<void> {
  const now_ms = app.clock.now().epochMilliseconds
  const due = [...liveCalls(app)].filter(
    ({ call }) => call.wake_at !== null && call.wake_at.epochMilliseconds <= now_ms,
  )
  await Promise.all(due.map((live) => happen(app, live, { kind: 'round' })))
  const counted = [...liveCalls(app)].filter((live) => live.call.good_ms !== live.stored_good_ms)
  await storeRound(
    app,
    counted.map(({ call }) => call),
  )
  for (const live of counted) live.stored_good_ms = live.call.good_ms
}

/** Somebody in a call lost a socket, or has both again. */
function lineChanged(app: App, { user_id, what, state, why }: LineChange): void {
  const live = liveCallOf(app, user_id)
  const side = live && sideOf(live.call, user_id)
  if (!live || !side) return
  if (state === 'down') {
    if (what === 'signal') live.desk.joined[side] = false
    report(app, happen(app, live, why === 'takeover' ? { kind: 'taken_over', side } : { kind: 'socket_lost', side }))
    return
  }
  // A signalling socket that came up says so by JOIN_SESSION; a main socket that is back completes one that stayed.
  const isComplete = what === 'main' && live.desk.joined[side] && app.realtime.line(user_id)?.signal === true
  if (isComplete) report(app, happen(app, live, { kind: 'socket_back', side }))
}

function report(app: App, done: Promise<unknown>): void {
  done.catch((error: unknown) => app.log.error({ err: error }, 'a call could not follow its sockets'))
}
