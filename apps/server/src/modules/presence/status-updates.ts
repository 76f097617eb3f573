import type { Role } from '@duet/protocol/kernel/roles.ts'
import type { App } from '../../core/app.ts'
import { ANYWHERE } from '../../core/hiding.ts'
import type { UserId } from '../../core/ids.ts'
import { perApp } from '../../core/app-state.ts'
import { plusMs } from '../../lib/clock.ts'
import { presenceOf } from './memory-presence.ts'
import { OFFLINE, getStatus } from './public-fields.ts'

/** Changes are collected for this long and published together: at most four updates a second for each user (P3). */
const PUBLISH_INTERVAL_MS = 250

const pendingUpdates = perApp(
  'presence: pending updates',
  'status changes that wait to be published together',
  () => ({
    roles: new Map<UserId, Role>(),
    recounted: new Set<UserId>(),
    publishedGirls: 0,
    isScheduled: false,
  }),
)

/** The channel that publishes the status of one user. */
export function statusChannel(user_id: UserId): string {
  return `user:${user_id}`
}

/** Publishes the status of a user to their followers who may see it, together with other changes of the next moment. */
export function publishStatusSoon(app: App, user_id: UserId, role: Role): void {
  pendingUpdates(app).roles.set(user_id, role)
  publishSoon(app)
}

/** She may have been verified, or have got an avatar: the count of the girls online follows. */
export function recountSoon(app: App, user_id: UserId): void {
  if (presenceOf(app).onlineRole(user_id) !== 'girl') return
  pendingUpdates(app).recounted.add(user_id)
  publishSoon(app)
}

function publishSoon(app: App): void {
  const pending = pendingUpdates(app)
  if (pending.isScheduled) return
  pending.isScheduled = true
  app.clock.at(plusMs(app.clock.now(), PUBLISH_INTERVAL_MS), () => {
    pending.isScheduled = false
    const changed = new Map(pending.roles)
    const recounted = new Set(pending.recounted)
    pending.roles.clear()
    pending.recounted.clear()
    app.background('publishing statuses', publishOrRepeat(app, changed, recounted))
  })
}

async function publishOrRepeat(
  app: App,
  changed: ReadonlyMap<UserId, Role>,
  recounted: ReadonlySet<UserId>,
): Promise<void> {
  try {
    await publish(app, changed)
    await publishGirlsOnline(app, [...girlsAmong(changed), ...recounted])
  } catch (error) {
    for (const user_id of recounted) recountSoon(app, user_id)
    for (const [user_id, role] of changed) publishStatusSoon(app, user_id, role)
    throw error
  }
}

async function publish(app: App, changed: ReadonlyMap<UserId, Role>): Promise<void> {
  const ids = [...changed.keys()]
  const hiddenFrom = await app.hooks.hiddenFrom(app.db, ids)
  // The channel of the catalogue is open to guests.
  const notInCatalogue = await app.hooks.hiddenUsers(app.db, { id: null, country: ANYWHERE }, ids)
  const online = await presenceOf(app).findOnline(ids)
  for (const [user_id, role] of changed) {
    const fields = getStatus(online.get(user_id))
    const to = { except: hiddenFrom.get(user_id) }
    const channel = statusChannel(user_id)
    app.realtime.broadcast(channel, 'update_status_user', { user_id, ...fields }, to)
    if (role === 'girl' && !notInCatalogue.has(user_id)) {
      const { status } = fields
      app.realtime.broadcast('girls', 'update_status_girl', { user_id, status }, to)
    }
  }
}

function girlsAmong(changed: ReadonlyMap<UserId, Role>): UserId[] {
  return [...changed].flatMap(([user_id, role]) => (role === 'girl' ? [user_id] : []))
}

/** Counts these girls if visitors may see them in the catalogue, and publishes a new number. */
async function publishGirlsOnline(app: App, ids: readonly UserId[]): Promise<void> {
  const hidden = await app.hooks.hiddenUsers(app.db, { id: null, country: ANYWHERE }, ids)
  for (const id of ids) presenceOf(app).setListed(id, !hidden.has(id))
  const pending = pendingUpdates(app)
  const girls = await presenceOf(app).girlsOnline()
  if (girls === pending.publishedGirls) return
  pending.publishedGirls = girls
  app.realtime.broadcast('online', 'online.count', { woman: girls })
}

/** Shows a user as offline to a viewer who follows them and may not see them any more. */
export function publishOfflineTo(app: App, viewerId: UserId, user_id: UserId): void {
  app.realtime.sendToSubscriber(statusChannel(user_id), viewerId, 'update_status_user', {
    user_id,
    ...OFFLINE,
  })
  app.realtime.sendToSubscriber('girls', viewerId, 'update_status_girl', {
    user_id,
    status: 'offline',
  })
}

/** Shows a girl as offline to everyone who follows her from a country that she hides from, and her status to the others. */
export async function publishHiding(app: App, user_id: UserId): Promise<void> {
  const role = presenceOf(app).onlineRole(user_id)
  if (role !== 'girl') return
  const countries = (await app.hooks.hiddenFrom(app.db, [user_id])).get(user_id)?.countries
  if (countries?.size) {
    const to = { only: { users: new Set<UserId>(), countries } }
    const update = { user_id, ...OFFLINE }
    app.realtime.broadcast(statusChannel(user_id), 'update_status_user', update, to)
    app.realtime.broadcast('girls', 'update_status_girl', { user_id, status: 'offline' }, to)
  }
  publishStatusSoon(app, user_id, role)
}
