import type { Tx } from '../../core/app.ts'
import type { Db } from '../../core/db.ts'
import type { UserId } from '../../core/ids.ts'
import type { Staff } from '../../core/viewer.ts'
import { refuse } from '../../lib/refusal.ts'
import { writeAudit } from '../audit/index.ts'
import {
  sharesDevice,
  sharesNetwork,
  usersInNetworks,
  usersOnDevices,
} from '../client-signals/index.ts'
import { userByEmail } from '../identity/index.ts'

/** Networks of earlier sign-ins that are compared. */
const NETWORKS_MAX = 20

/**
 * Staff do not act on an account of their own, which is the one with their confirmed mail address: another person decides.
 * Refuses role_forbidden. An account on their device or in their network is recorded in the audit log and refuses nothing: a
 * browser says itself which device it is, and a guest in the network of the office would be out of reach.
 */
export async function requireOtherPerson(
  tx: Tx,
  staff: Staff,
  user_ids: readonly UserId[],
): Promise<void> {
  const ids = [...new Set(user_ids)]
  if (ids.length === 0) return
  const own = await ownAccount(tx, staff)
  const networks = await ownNetworks(tx, staff)
  for (const id of ids) {
    if (own === id) refuse('role_forbidden')
    if (networks.length > 0 && (await sharesNetwork(tx, id, networks)))
      await writeAudit(tx, { staff, act: 'shared_network', user_id: id })
    if (own !== undefined && (await sharesDevice(tx, own, id)))
      await writeAudit(tx, { staff, act: 'shared_device', user_id: id, facts: { own } })
  }
}

/** Staff do not read who has reported them, and what colleagues write about them. Refuses role_forbidden. */
export async function requireNotOwn(
  db: Db,
  staff: Staff,
  user_ids: readonly UserId[],
): Promise<void> {
  const own = await ownAccount(db, staff)
  if (own !== undefined && user_ids.includes(own)) refuse('role_forbidden')
}

/** Of these accounts the own one of a member, and those that share a device or a network with the member. */
export async function linkedToMember(
  db: Db,
  member: Pick<Staff, 'id' | 'email'>,
  user_ids: readonly UserId[],
): Promise<UserId[]> {
  const own = await ownAccount(db, member)
  const networks = await ownNetworks(db, member)
  const linked = new Set(await usersInNetworks(db, user_ids, networks))
  if (own !== undefined) {
    linked.add(own)
    for (const id of await usersOnDevices(db, own, user_ids)) linked.add(id)
  }
  return user_ids.filter((id) => linked.has(id))
}

/**
 * The account with the confirmed address of a member of staff. Anybody may register with an address that is not theirs; only
 * its owner can confirm it.
 */
export async function ownAccount(
  db: Db,
  { email }: Pick<Staff, 'email'>,
): Promise<UserId | undefined> {
  const row = await userByEmail(db, email)
  return row?.email_confirmed_at ? row.id : undefined
}

async function ownNetworks(db: Db, { id }: Pick<Staff, 'id'>): Promise<Buffer[]> {
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
