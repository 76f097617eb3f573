import { limits } from '@duet/protocol'
import type { App } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import type { RetentionRule } from '../../../core/retention-rule.ts'
import { guestsAway } from '../users/queries.ts'
import { deleteEmptyTombstones, eraseGuest } from './guests-store.ts'

/** Guests per transaction: it stays short, so that other transactions do not wait for its locks. */
const GUESTS_PER_TRANSACTION = 200

/**
 * Erases guests whose tokens have expired, unless a hold keeps their evidence. Their tombstones stay: the
 * id of a former row is never used again. If the erasure of a guest fails, the others are erased all the
 * same.
 */
export async function cleanGuests(app: App): Promise<void> {
  const since = app.clock.now().subtract({ hours: limits.guest_hours })
  const failed: UserId[] = []
  let above: UserId = 0
  for (;;) {
    const guests = await guestsAway(app.db, { since, above, limit: GUESTS_PER_TRANSACTION })
    // A page can stay open for days.
    const connected = await Promise.all(guests.map((id) => app.realtime.isConnected(id)))
    failed.push(
      ...(await eraseGuests(
        app,
        guests.filter((_, index) => !connected[index]),
      )),
    )
    if (guests.length < GUESTS_PER_TRANSACTION) break
    above = guests.at(-1)!
  }
  if (failed.length > 0) throw new Error(`${failed.length} guests were not erased`)
}

/** Erases them in one transaction, or each in its own when that fails; returns those that could not be erased. */
async function eraseGuests(app: App, guests: readonly UserId[]): Promise<readonly UserId[]> {
  if (guests.length === 0) return []
  try {
    await app.transact(async (tx) => {
      for (const user_id of guests) {
        // A guest who registered since the page was read is a member now.
        if (!(await eraseGuest(tx, user_id))) continue
        await tx.publish('account_deleted', { user_id })
        await tx.publish('guest_erased', { user_id })
      }
    })
    return []
  } catch (error) {
    if (guests.length === 1) {
      app.log.error({ err: error, user_id: guests[0] }, 'a guest was not erased')
      return guests
    }
    const failed: UserId[] = []
    for (const guest of guests) failed.push(...(await eraseGuests(app, [guest])))
    return failed
  }
}

/** A tombstone without a row before it is needed while a token of its id may be valid, and a day longer to be safe. */
const TOMBSTONE_DAYS = (2 * limits.guest_hours) / 24

/** Every table that refers to a user is searched for each tombstone. */
const TOMBSTONES_PER_BATCH = 200

export const retention: readonly RetentionRule[] = [
  {
    name: 'users: empty tombstones',
    keepDays: () => TOMBSTONE_DAYS,
    batchRows: TOMBSTONES_PER_BATCH,
    purge: deleteEmptyTombstones,
  },
]
