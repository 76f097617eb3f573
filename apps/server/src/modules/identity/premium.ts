import type { UserId } from '../../core/ids.ts'
import type { App, Tx } from '../../core/app.ts'
import { perApp } from '../../core/app-state.ts'
import { assert } from '../../lib/assert.ts'
import { plusMs } from '../../lib/clock.ts'
import { notifyUserInfo } from './own-record.ts'
import { lockUser, premiumEnded, userNow } from './users/queries.ts'
import { changeUser, markPremiumEnd } from './users/store.ts'
import { isPremium } from './viewer.ts'

/** Extends a user's Premium from its current end, or from now if it has ended. Returns the new end. */
export async function givePremium(
  tx: Tx,
  user_id: UserId,
  days: number,
): Promise<Temporal.Instant> {
  // Two purchases at once: the second adds its days to the end that the first stored.
  const row = await lockUser(tx, user_id)
  assert(row, 'a user who gets Premium has a row')
  const premium_until = (isPremium(row, tx.now) ? row.premium_until! : tx.now).add({
    hours: 24 * days,
  })
  await changeUser(tx, user_id, { premium_until })
  await tx.publish('member_updated', { user_id })
  await notifyUserInfo(tx, user_id)
  tx.afterCommit(() => {
    if (tx.app.realtime.local.isConnected(user_id)) awaitEnd(tx.app, user_id, premium_until)
  })
  return premium_until
}

/** Shortens a user's Premium: the purchase that gave it was given back. */
export async function shortenPremium(tx: Tx, user_id: UserId, ms: number): Promise<void> {
  const row = await lockUser(tx, user_id)
  if (!row?.premium_until) return
  const shortened = plusMs(row.premium_until, -ms)
  const isOver = Temporal.Instant.compare(shortened, tx.now) <= 0
  await changeUser(tx, user_id, { premium_until: isOver ? tx.now : shortened })
  await tx.publish('member_updated', { user_id })
  await notifyUserInfo(tx, user_id)
  tx.afterCommit(() => {
    if (!isOver && tx.app.realtime.local.isConnected(user_id)) awaitEnd(tx.app, user_id, shortened)
    else if (isOver) tx.app.background('ending Premium', endPremium(tx.app, user_id), { user_id })
  })
}

const premiumEnds = perApp(
  'identity: ends of Premium',
  'timers of connected users; they are set again when the users connect',
  () => new Map<UserId, () => void>(),
)

/** Sends the own record when the Premium of a connected user ends; other users see the end in the user's next record. */
export function followPremium(app: App): () => void {
  const stopFollowing = app.realtime.local.onConnectionChange(({ socket, state, user_id }) => {
    if (socket !== 'main') return
    if (state === 'up')
      app.background('following Premium', awaitPremiumEnd(app, user_id), { user_id })
    else if (!app.realtime.local.isConnected(user_id)) cancelEnd(app, user_id)
  })
  return () => {
    stopFollowing()
    for (const user_id of [...premiumEnds(app).keys()]) cancelEnd(app, user_id)
  }
}

async function awaitPremiumEnd(app: App, user_id: UserId): Promise<void> {
  const row = await userNow(app, user_id)
  if (row && isPremium(row, app.clock.now()) && app.realtime.local.isConnected(user_id))
    awaitEnd(app, user_id, row.premium_until!)
}

function awaitEnd(app: App, user_id: UserId, premium_until: Temporal.Instant): void {
  cancelEnd(app, user_id)
  // A timer counts whole milliseconds and may be early by a fraction of a millisecond.
  const cancel = app.clock.at(plusMs(premium_until, 1), () => {
    premiumEnds(app).delete(user_id)
    app.background('ending Premium', endPremium(app, user_id), { user_id })
  })
  premiumEnds(app).set(user_id, cancel)
}

function cancelEnd(app: App, user_id: UserId): void {
  premiumEnds(app).get(user_id)?.()
  premiumEnds(app).delete(user_id)
}

function endPremium(app: App, user_id: UserId): Promise<void> {
  return app.transact((tx) => announceEnd(tx, user_id))
}

/** Another server process may have extended it, or announced the end already. */
async function announceEnd(tx: Tx, user_id: UserId): Promise<void> {
  const premium_until = await markPremiumEnd(tx, user_id)
  if (!premium_until) return
  await tx.publish('member_updated', { user_id })
  await notifyUserInfo(tx, user_id)
  await tx.publish('premium_ended', { user_id, premium_until })
}

/** Users per transaction: it stays short, so that other transactions do not wait for its locks. */
const ENDS_PER_TRANSACTION = 100

/**
 * Announces ends of premium that no timer announced: of offline users, and of the time without a server. An
 * end that fails waits for the next run and does not stop the others.
 */
export async function announcePremiumEnds(app: App): Promise<void> {
  const failed: UserId[] = []
  for (;;) {
    const ended = await premiumEnded(app.db, {
      now: app.clock.now(),
      except: failed,
      limit: ENDS_PER_TRANSACTION,
    })
    await announceEnds(app, ended).catch(() => announceEach(app, ended, failed))
    if (ended.length < ENDS_PER_TRANSACTION) return
  }
}

function announceEnds(app: App, ended: readonly UserId[]): Promise<void> {
  return app.transact(async (tx) => {
    for (const user_id of ended) await announceEnd(tx, user_id)
  })
}

/** One transaction for each user, after that of all failed. */
async function announceEach(app: App, ended: readonly UserId[], failed: UserId[]): Promise<void> {
  for (const user_id of ended)
    try {
      await endPremium(app, user_id)
    } catch (error) {
      failed.push(user_id)
      app.log.error({ err: error, user_id }, 'an end of Premium was not announced')
    }
}
