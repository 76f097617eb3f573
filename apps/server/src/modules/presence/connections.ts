import type { Role } from '@duet/protocol/kernel/roles.ts'
import type { App } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import { perApp } from '../../core/app-state.ts'
import { plusMs } from '../../lib/clock.ts'
import type { ConnectionChange } from '../../core/realtime.ts'
import { userNow } from '../identity/index.ts'
import { presenceOf } from './memory-presence.ts'
import { publishStatusSoon } from './status-updates.ts'

/** A user stays online for this long without a connection, so that a reload is not seen by others. */
const OFFLINE_AFTER_MS = 5000

const offlineTimers = perApp(
  'presence: offline timers',
  'users who have lost their connection and may return; all reconnect after a restart',
  () => new Map<UserId, () => void>(),
)

/** A member came online here, or went offline. */
export interface OnlineChange {
  readonly user_id: UserId
  readonly role: Role
  readonly is_online: boolean
}

const onlineListeners = perApp(
  'presence: listeners',
  'parts of this process that follow who is online; set again at the start',
  () => new Set<(change: OnlineChange) => void>(),
)

/** Calls the listener for each member who comes online here or goes offline. Returns how to stop. */
export function onOnlineChange(app: App, listener: (change: OnlineChange) => void): () => void {
  onlineListeners(app).add(listener)
  return () => void onlineListeners(app).delete(listener)
}

/** Follows the connections of this server process until the returned function is called. */
export async function followConnections(app: App): Promise<() => void> {
  return app.realtime.local.onConnectionChange((change) => {
    if (change.socket === 'main') app.background('updating presence', update(app, change))
  })
}

async function update(app: App, { user_id, state, reason }: ConnectionChange): Promise<void> {
  if (state === 'up') return connect(app, user_id)
  return reason === 'ended' ? disconnect(app, user_id) : disconnectSoon(app, user_id)
}

/** Shows a connected member as online. Guests and banned members are never shown as online. */
export async function connect(app: App, user_id: UserId): Promise<void> {
  const user = await userNow(app, user_id)
  // The connection may have closed while the row was read.
  if (!user?.role || user.sanction_id !== null || !app.realtime.local.isConnected(user_id)) return
  cancelOfflineTimer(app, user_id)
  const role = user.role as Role
  if (presenceOf(app).setOnline(user_id, role)) publishChange(app, user_id, role, true)
}

function publishChange(app: App, user_id: UserId, role: Role, isOnline: boolean): void {
  publishStatusSoon(app, user_id, role)
  for (const listener of onlineListeners(app)) listener({ user_id, role, is_online: isOnline })
}

function disconnectSoon(app: App, user_id: UserId): void {
  if (!presenceOf(app).onlineRole(user_id) || app.realtime.local.isConnected(user_id)) return
  cancelOfflineTimer(app, user_id)
  const cancel = app.clock.at(plusMs(app.clock.now(), OFFLINE_AFTER_MS), () => {
    if (!app.realtime.local.isConnected(user_id)) disconnect(app, user_id)
  })
  offlineTimers(app).set(user_id, cancel)
}

export function disconnect(app: App, user_id: UserId): void {
  cancelOfflineTimer(app, user_id)
  const role = presenceOf(app).onlineRole(user_id)
  if (role && presenceOf(app).setOffline(user_id)) publishChange(app, user_id, role, false)
}

function cancelOfflineTimer(app: App, user_id: UserId): void {
  offlineTimers(app).get(user_id)?.()
  offlineTimers(app).delete(user_id)
}
