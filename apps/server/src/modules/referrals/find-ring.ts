import { sql } from 'kysely'
import type { Tx } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import { accountsOfInstruments } from '../billing/index.ts'
import { accountsOfDevices } from '../client-signals/index.ts'

/** A longer circle of invitations costs more than it brings. */
const RING_ACCOUNTS_MAX = 8
/** Accounts that are paid out to one address. */
const WALLET_ACCOUNTS_MAX = 50

/**
 * Whether the invitations lead from the invited user back to the inviter, if all accounts of a user count as one: a user
 * invites a friend, and the friend invites a second account of the user.
 */
export async function closesRing(tx: Tx, inviter_id: UserId, invited_id: UserId): Promise<boolean> {
  const inviters = await readInviters(tx, [inviter_id])
  const same = await Promise.all([
    accountsOfDevices(tx, inviters),
    accountsOfInstruments(tx, inviters),
    accountsOfWallets(tx, inviters),
  ])
  const above = await readInviters(tx, [...new Set([...inviters, ...same.flat()])])
  return above.includes(invited_id)
}

/** These users, and the users by whose codes they came. */
async function readInviters(tx: Tx, ids: readonly UserId[]): Promise<UserId[]> {
  const { rows } = await sql<{ id: UserId }>`
    with recursive line (id, referred_by, place) as (
      select id, referred_by, 1 from users where id = any(${ids})
      union
      select users.id, users.referred_by, place + 1 from line join users on users.id = line.referred_by
      where place < ${RING_ACCOUNTS_MAX}
    ) select distinct id from line`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Other accounts that are paid out to the addresses of these accounts. */
async function accountsOfWallets(tx: Tx, ids: readonly UserId[]): Promise<UserId[]> {
  const rows = await tx
    .selectFrom('users as own')
    .innerJoin('users as same', 'same.usdt_wallet', 'own.usdt_wallet')
    .select('same.id')
    .where('own.id', 'in', ids)
    .whereRef('same.id', '<>', 'own.id')
    .limit(WALLET_ACCOUNTS_MAX)
    .execute()
  return rows.map(({ id }) => id)
}
