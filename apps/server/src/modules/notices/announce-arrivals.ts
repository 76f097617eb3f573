import type { Role } from '@duet/protocol/kernel/roles.ts'
import type { App, Tx } from '../../core/app.ts'
import { perApp } from '../../core/app-state.ts'
import type { HiddenFrom } from '../../core/hiding.ts'
import type { UserId } from '../../core/ids.ts'
import { plusMs, wireTime } from '../../lib/clock.ts'
import { singleRun } from '../../lib/single-run.ts'
import { hasBacklog } from '../../platform/process/outbox-backlog.ts'
import { interlocutors, isPremium, userById, type UserRow, usersByIds } from '../identity/index.ts'
import { NOTICE_MAIL } from '../mail/index.ts'
import { isOnline, onOnlineChange } from '../presence/index.ts'
import { getsOwnMail } from './add-notice.ts'
import { mailNotice } from './mail-notice.ts'
import { enqueuePushes, PUSH } from './push-notice.ts'
import { receiversAmong } from './receivers.ts'
import * as store from './store.ts'

/** Users who come online are collected for this long and stored together: after a restart all users come at once. */
const COLLECT_MS = 1000
/** Arrivals that another process left open are found by this. */
const ROUND_EVERY_MS = 10_000
/** A user who comes and goes is announced at most this often, so that others cannot be made to work by reconnecting. */
const ARRIVAL_EVERY_MINUTES = 30
/** Receivers in one transaction. */
const CHUNK_USERS = 200
/**
 * While this number of pushes waits, no further user is notified, because more pushes would arrive late.
 * While this number of mails waits, users are notified without a mail. Mail servers are slow, and the bell
 * and the push do not wait for them.
 */
const WAITING_MESSAGES_MAX = 1000
/** A user is notified of another user at most once in this time. */
const ONCE_HOURS = 6

const arriving = perApp(
  'notices: arrivals',
  'users who came online in the last second and are not stored yet; they are announced when they come again',
  (app) => ({ ids: new Set<UserId>(), round: singleRun(() => announceAll(app)), is_open: true }),
)

/** Announces users who come online to those who want to know, until the returned function is called. */
export function followArrivals(app: App): () => Promise<void> {
  const { ids } = arriving(app)
  const stopFollowing = onOnlineChange(app, ({ user_id, is_online }) => {
    if (!is_online) return
    ids.add(user_id)
    if (ids.size === 1) announceSoon(app)
  })
  const stopRounds = app.clock.every(ROUND_EVERY_MS, () =>
    app.background('announcing arrivals', arriving(app).round()),
  )
  return async () => {
    stopFollowing()
    stopRounds()
    arriving(app).is_open = false
    await arriving(app).round()
  }
}

function announceSoon(app: App): void {
  app.clock.at(plusMs(app.clock.now(), COLLECT_MS), () =>
    app.background('announcing arrivals', announceArrived(app)),
  )
}

/** Opens an arrival for each user whose arrival others are told of. Most users cost one read together. */
async function announceArrived(app: App): Promise<void> {
  const { ids } = arriving(app)
  const all = [...ids]
  ids.clear()
  try {
    const now = app.clock.now()
    const users = await usersByIds(app.db, all)
    const arrived = users.filter((user) => isAnnounced(user, now)).map(({ id }) => id)
    if (arrived.length === 0) return
    await app.transact(async (tx) => {
      const since = tx.now.subtract({ minutes: ARRIVAL_EVERY_MINUTES })
      await store.openArrivals(tx, arrived, since)
    })
  } catch (error) {
    for (const user_id of all) ids.add(user_id)
    if (arriving(app).is_open) announceSoon(app)
    throw error
  }
  await arriving(app).round()
}

/**
 * Announces chunk after chunk, so that a girl wanted by a hundred thousand guys uses one connection. If too
 * many messages wait, the next round continues. An arrival that fails waits for the next round too.
 */
async function announceAll(app: App): Promise<void> {
  const failed: UserId[] = []
  const isFull = (kind: string) => hasBacklog(app.db, kind, WAITING_MESSAGES_MAX)
  while (arriving(app).is_open && !(await isFull(PUSH)))
    if (!(await announceNext(app, failed, !(await isFull(NOTICE_MAIL))))) return
}

async function announceNext(app: App, failed: UserId[], isMailing: boolean): Promise<boolean> {
  let user_id: UserId | undefined
  try {
    return await app.transact(async (tx) => {
      const arrival = await store.claimArrival(tx, failed)
      user_id = arrival?.user_id
      return arrival !== undefined && announceChunk(tx, arrival, isMailing)
    })
  } catch (error) {
    if (user_id === undefined) throw error
    failed.push(user_id)
    app.log.error({ err: error, user_id }, 'an arrival was not announced, it will be tried again')
    return true
  }
}

async function announceChunk(tx: Tx, arrival: store.Arrival, isMailing: boolean): Promise<true> {
  const { user_id, above } = arrival
  if (above === 0 && !isOnline(tx.app, user_id)) {
    await store.dropArrival(tx, user_id)
    return true
  }
  const user = await userById(tx, user_id)
  const isHeard = user && isAnnounced(user, tx.now) && isOnline(tx.app, user_id)
  const next = isHeard ? await announceTo(tx, user, { above, isMailing }) : null
  await store.continueArrival(tx, user_id, next)
  return true
}

/** Others hear of verified girls and of premium guys. */
function isAnnounced(user: UserRow, now: Temporal.Instant): boolean {
  if (!user.role || user.erased_at) return false
  return user.role === 'girl' ? user.verified_at !== null : isPremium(user, now)
}

/** Announces a user to the next users with ids above `above`; returns the last of them, null when there are no more. */
async function announceTo(
  tx: Tx,
  user: UserRow,
  { above, isMailing }: { readonly above: UserId; readonly isMailing: boolean },
): Promise<UserId | null> {
  const role = user.role as Role
  const ids = await tx.app.hooks.interestedIn(
    tx,
    { id: user.id, role },
    { above, limit: CHUNK_USERS },
  )
  if (ids.length === 0) return null
  const hiddenFrom = (await tx.app.hooks.hiddenFrom(tx, [user.id])).get(user.id)
  const receivers = (await receiversAmong(tx, role, ids)).filter(
    (receiver) => !isHiddenFrom(receiver, hiddenFrom),
  )
  const kind = role === 'girl' ? 'wanted_girl_online' : 'premium_guest_online'
  const mailed = receivers.filter(
    (one) => isMailing && getsOwnMail(kind, {}, one) && !tx.app.realtime.local.isConnected(one.id),
  )
  const written = await store.insertPresenceNotices(tx, {
    kind,
    about_id: user.id,
    user_ids: receivers.map(({ id }) => id),
    since: tx.now.subtract({ hours: ONCE_HOURS }),
  })
  for (const { id, user_id } of written) {
    await tx.notify(user_id, 'notice', {
      notice: { id, kind, create_time: wireTime(tx.now), read: false, facts: {} },
    })
    const receiver = mailed.find((one) => one.id === user_id)
    if (receiver) await mailNotice(tx, receiver, { id, kind, facts: {}, about: user })
  }
  await enqueuePushes(tx, kind, written)
  tx.afterCommit(() =>
    sendToConnected(
      tx.app,
      kind,
      user.id,
      written.map((one) => one.user_id),
    ),
  )
  return ids.length < CHUNK_USERS ? null : ids.at(-1)!
}

/** A girl who hides from any country hides where the country is unknown. */
function isHiddenFrom({ id, country }: UserRow, hiddenFrom: HiddenFrom | undefined): boolean {
  if (!hiddenFrom) return false
  const { users, countries } = hiddenFrom
  return users.has(id) || (countries.size > 0 && (country === null || countries.has(country)))
}

async function sendToConnected(
  app: App,
  event: 'wanted_girl_online' | 'premium_guest_online',
  about: UserId,
  ids: readonly UserId[],
): Promise<void> {
  for (const id of ids) {
    if (!app.realtime.local.isConnected(id)) continue
    const [user] = await interlocutors(app, app.db, id, [about])
    if (user) app.emit(id, event, { user_interlocutor: user })
  }
}
