import type { SearchState } from '@duet/protocol'
import { plusMs, wireTime } from '../../lib/clock.ts'
import type { App, Tx } from '../../core/app.ts'
import type { DomainEvents } from '../../core/domain-events.ts'
import { perApp } from '../../core/app-state.ts'
import type { UserId } from '../../core/ids.ts'
import type { Db } from '../../core/db.ts'
import { inKeys, batchedRead } from '../../platform/database/statements/batched-read.ts'
import { cachedUser } from '../identity/index.ts'
import { isInCall, isOnline, setActivity } from '../presence/index.ts'
import { setting } from '../settings/index.ts'
import { findSearchSession } from './search-sessions.ts'
import {
  type AbsenceKind,
  type Availability,
  countAbsences,
  deleteAbsence,
  insertAbsence,
  saveAvailability,
  endBreak,
} from './store.ts'

export const getAvailability: (db: Db, user_id: UserId) => Promise<Availability | undefined> =
  batchedRead(async (db, ids) => {
    const rows = await db
      .selectFrom('search_rests')
      .selectAll()
      .where('user_id', '=', inKeys(ids))
      .execute()
    return new Map(rows.map((row) => [row.user_id, row]))
  })

/** The state of a user's search now. */
export async function getSearchState(app: App, user_id: UserId): Promise<SearchState> {
  const search = findSearchSession(app, user_id)
  if (search) return { state: search.pair === undefined ? 'waiting' : 'offered' }
  if (isInCall(app, user_id)) return { state: 'idle', reason: 'in_call' }
  const row = await getAvailability(app.db, user_id)
  if (row?.paused_until && Temporal.Instant.compare(row.paused_until, app.clock.now()) > 0)
    return pausedState(app, user_id, row.paused_until)
  if (row?.missed_out) return { state: 'paused', reason: 'missed_offers' }
  return { state: row?.on_break ? 'break' : 'idle' }
}

/** A girl pauses because she was absent, a guy because his calls did not connect. */
export async function pausedState(
  app: App,
  user_id: UserId,
  until: Temporal.Instant,
): Promise<SearchState> {
  const user = await cachedUser(app, app.db, user_id)
  const reason = user?.role === 'guy' ? 'not_connected' : 'absence'
  return { state: 'paused', reason, until: wireTime(until) }
}

/** Until when the user may not search; undefined: the user may. */
export async function readPause(app: App, user_id: UserId): Promise<Temporal.Instant | undefined> {
  const until = (await getAvailability(app.db, user_id))?.paused_until
  return until && Temporal.Instant.compare(until, app.clock.now()) > 0 ? until : undefined
}

/** Keeps a user out of search until this time. A search that is under way goes on. */
export async function pauseSearch(
  tx: Tx,
  user_id: UserId,
  paused_until: Temporal.Instant,
): Promise<void> {
  await saveAvailability(tx, user_id, { paused_until })
  tx.afterCommit(() => awaitEndOfPause(tx.app, user_id, paused_until))
}

/** Sends the state of a search to its user after a change. `reason`: why it is over, where no row has the reason. */
export async function sendSearchState(
  app: App,
  user_id: UserId,
  reason?: SearchState['reason'],
): Promise<void> {
  const now = await getSearchState(app, user_id)
  // A search began while the row was read: its own state is sent by that command and must be the last one.
  if (now.state !== 'waiting' && now.state !== 'offered' && findSearchSession(app, user_id)) return
  app.emit(user_id, 'search_state', now.state === 'idle' && reason ? { ...now, reason } : now)
}

/** Reports the activity that others see; while a user is in a call, calls reports it. */
export function showActivity(app: App, user_id: UserId, activity: 'searching' | 'free'): void {
  if (!isInCall(app, user_id)) setActivity(app, user_id, activity)
}

/** A girl asks to search, or leaves it: her break and her missed offers end, a pause goes on. Returns until when it lasts. */
export async function resume(app: App, user_id: UserId): Promise<Temporal.Instant | undefined> {
  const until = await app.transact((tx) => endBreak(tx, user_id))
  return until && Temporal.Instant.compare(until, app.clock.now()) > 0 ? until : undefined
}

/** A girl's break begins. */
export async function beginBreak(tx: Tx, girl_id: UserId): Promise<void> {
  const { app } = tx
  await saveAvailability(tx, girl_id, { on_break: true })
  tx.afterCommit(() => {
    showBreak(app, girl_id)
    return sendSearchState(app, girl_id)
  })
}

/**
 * While a girl is not connected, only her row has her break: presence learns of it when she connects. During a call presence
 * shows the call: the end of the call shows the break.
 */
function showBreak(app: App, girl_id: UserId): void {
  if (isInCall(app, girl_id)) return
  if (app.realtime.local.isConnected(girl_id) || isOnline(app, girl_id))
    setActivity(app, girl_id, 'break')
}

/** A call of hers is over, or her break began in a commit whose answer was lost; she may have ended it since. */
export async function showStoredBreak(app: App, girl_id: UserId): Promise<void> {
  if ((await getAvailability(app.db, girl_id))?.on_break) showBreak(app, girl_id)
}

/** She was not there: after a number of absences in an hour she is paused. */
export async function recordAbsence(
  tx: Tx,
  user_id: UserId,
  kind: AbsenceKind,
  session_id: number | null = null,
): Promise<void> {
  const { app } = tx
  if (kind === 'missed_offers') await saveAvailability(tx, user_id, { missed_out: true })
  const absences = await insertAbsence(tx, user_id, kind)
  const isPaused = absences >= setting(app, 'absences_an_hour')
  const paused_until = isPaused ? plusMs(tx.now, setting(app, 'absence_pause') * 60_000) : null
  if (paused_until) await pauseSearch(tx, user_id, paused_until)
  await tx.publish('absence_recorded', { user_id, kind, session_id, paused_until })
}

/**
 * An absence is as if it had not been: it is not counted, and a pause ends for which the rest are too few. The length of
 * pauses may have changed since the pause began; then it goes on.
 */
export async function onAbsenceReversed(
  tx: Tx,
  { user_id, at }: DomainEvents['absence_reversed'],
): Promise<void> {
  const { app } = tx
  if (!(await deleteAbsence(tx, user_id, at))) return
  const until = (await getAvailability(tx, user_id))?.paused_until
  if (!until || Temporal.Instant.compare(until, tx.now) <= 0) return
  const begun = plusMs(until, -setting(app, 'absence_pause') * 60_000)
  if ((await countAbsences(tx, user_id, begun)) >= setting(app, 'absences_an_hour')) return
  await saveAvailability(tx, user_id, { paused_until: null })
  tx.afterCommit(() => sendSearchState(app, user_id))
}

const pauseEnds = perApp(
  'matchmaking: ends of pauses',
  'timers of girls who are paused; they are set again when the girls connect',
  () => new Map<UserId, () => void>(),
)

/** Her page is notified when the pause is over. Called when the pause begins, and whenever she connects during it. */
export function awaitEndOfPause(app: App, girl_id: UserId, until: Temporal.Instant): void {
  pauseEnds(app).get(girl_id)?.()
  // A timer counts whole milliseconds and may be early by a fraction of a millisecond.
  const cancel = app.clock.at(plusMs(until, 1), () => {
    pauseEnds(app).delete(girl_id)
    app.background('sending the end of a pause', sendSearchState(app, girl_id), {
      user_id: girl_id,
    })
  })
  pauseEnds(app).set(girl_id, cancel)
}
