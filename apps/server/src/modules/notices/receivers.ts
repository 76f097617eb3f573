import type { Role } from '@duet/protocol/kernel/roles.ts'
import type { Db } from '../../core/db.ts'
import type { Tx } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { UserRow } from '../identity/index.ts'
import { guysWanting } from './queries.ts'

/** Users who have been away for longer are not notified: their bell would grow without a reader. */
const AWAY_DAYS = 30

/** Those of these users who hear when a user of this role comes online: of the other role, with the switch on, not banned, and not gone. */
export function receiversAmong(tx: Tx, role: Role, ids: readonly UserId[]): Promise<UserRow[]> {
  return tx
    .selectFrom('users')
    .selectAll()
    .where('id', 'in', [...ids])
    .where('role', '=', role === 'girl' ? 'guy' : 'girl')
    .where(role === 'girl' ? 'noty_wanted_girl' : 'noty_premium_guest', '=', true)
    .where('erased_at', 'is', null)
    .where('sanction_id', 'is', null)
    .where('last_visit', '>', tx.now.subtract({ hours: 24 * AWAY_DAYS }))
    .execute()
}

/** The guys who asked for a girl; the other modules add who keeps a user as a favourite or has talked with them. */
export async function interestedInGirl(
  db: Db,
  { id, role }: { readonly id: UserId; readonly role: Role },
  { above, limit }: { readonly above: UserId; readonly limit: number },
): Promise<readonly UserId[]> {
  return role === 'girl' ? guysWanting(db, id, above, limit) : []
}
