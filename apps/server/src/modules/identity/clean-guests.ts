import { limits } from '@duet/protocol'
import type { App } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import { deleteRows, type RetentionRule } from '../../platform/retention/retention-rule.ts'
import { setting } from '../settings/index.ts'
import { deleteEmptyTombstones, endGuest, guestsAway } from './store.ts'

/** So many in one transaction: short enough that nobody waits for it. */
const guests_at_once = 200

/**
 * Erases guests whose tokens have expired. Their tombstones stay: an id that ever had a row is never used again.
 */
export async function cleanGuests(app: App): Promise<void> {
  const since = app.clock.now().subtract({ hours: limits.guest_hours })
  let above: UserId = 0
  for (;;) {
    const guests = await guestsAway(app.db, { since, above, most: guests_at_once })
    // A page that stays open for days is no absence.
    const connected = await Promise.all(guests.map((id) => app.realtime.isConnected(id)))
    const gone = guests.filter((_, index) => !connected[index])
    await app.transact(async (tx) => {
      for (const user_id of gone) {
        await endGuest(tx, user_id)
        await tx.publish('account_deleted', { user_id })
      }
    })
    if (guests.length < guests_at_once) break
    above = guests.at(-1)!
  }
}

/** A tombstone without a row before it is needed while a token of its id may be valid, and a day longer to be safe. */
const tombstone_days = (2 * limits.guest_hours) / 24

export const retention: readonly RetentionRule[] = [
  { name: 'users: empty tombstones', keepDays: () => tombstone_days, purge: deleteEmptyTombstones },
  // Counted by the day: those of earlier days are not read.
  deleteRows('email_probes', 'day', () => 0),
  deleteRows('logins', 'ended_at', (context) => setting(context, 'ended_login_days')),
]
