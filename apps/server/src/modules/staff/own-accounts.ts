import type { Db } from '../../core/db.ts'
import type { UserId } from '../../core/ids.ts'
import type { Staff } from '../../core/viewer.ts'
import { refuse } from '../../lib/refusal.ts'
import { sharesDevice, sharesNetwork } from '../client-signals/index.ts'
import { userByEmail } from '../identity/index.ts'

/** Networks of earlier sign-ins that are compared. */
const NETWORKS_MAX = 20

/**
 * Staff do not act on an account of their own: one with their mail address, one that was used on the device of such an
 * account, or one that was seen in the network from which they sign in. Another person decides. Refuses role_forbidden.
 */
export async function requireOtherPerson(
  db: Db,
  staff: Staff,
  user_ids: readonly UserId[],
): Promise<void> {
  const ids = [...new Set(user_ids)]
  if (ids.length === 0) return
  const own = (await userByEmail(db, staff.email))?.id
  const networks = await ownNetworks(db, staff)
  for (const id of ids) {
    if (own !== undefined && (own === id || (await sharesDevice(db, own, id))))
      refuse('role_forbidden')
    if (networks.length > 0 && (await sharesNetwork(db, id, networks))) refuse('role_forbidden')
  }
}

async function ownNetworks(db: Db, { id }: Staff): Promise<Buffer[]> {
  const rows = await db
    .selectFrom('staff_sessions')
    .select('network_hash')
    .where('staff_id', '=', id)
    .where('network_hash', 'is not', null)
    .orderBy('ends_at', 'desc')
    .limit(NETWORKS_MAX)
    .execute()
  return rows.map(({ network_hash }) => network_hash!)
}
