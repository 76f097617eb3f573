import { sql } from 'kysely'
import { wireTime } from '../../lib/clock.ts'
import type { AppContext, Tx } from '../../core/app.ts'
import type { Db } from '../../core/db.ts'
import type { UserId } from '../../core/ids.ts'
import { listSignals } from './signal-hash.ts'
import { deviceSignals, type SignalType, signalTypes } from './signal-types.ts'

/** Accounts that are read of one value, the latest first: popular phones and mobile networks have many thousands. */
export const ACCOUNTS_OF_VALUE_MAX = 50
const ACCOUNTS_SHOWN_MAX = 100

/** The first says the most. */
const STRENGTH: readonly SignalType[] = signalTypes.map(({ signal }) => signal)
const DEVICES = deviceSignals.map(({ signal }) => signal)
const CERTAIN = deviceSignals.flatMap(({ signal, is_certain }) => (is_certain ? [signal] : []))

interface SharedRow {
  readonly signal: SignalType
  readonly own_last_at: Temporal.Instant
  readonly user_id: UserId
  readonly nick: string | null
  readonly role: string | null
  readonly registered_at: Temporal.Instant | null
  readonly last_at: Temporal.Instant
  readonly is_common: boolean
}

/**
 * The accounts that share a value with this account. Each value of the user costs one index scan. The
 * number of values and the accounts in each scan are bounded.
 */
export function sharedRows(user_id: UserId) {
  return sql<SharedRow>`
    select own.signal, own.last_at as own_last_at, other.user_id, users.nick, users.role, users.registered_at, other.last_at,
      count(*) over (partition by own.signal_id) > ${ACCOUNTS_OF_VALUE_MAX} as is_common
    from client_signals as own
    cross join lateral (
      select user_id, last_at from client_signals as same
      where same.value_hash = own.value_hash and same.user_id <> own.user_id
      order by last_at desc limit ${ACCOUNTS_OF_VALUE_MAX + 1}) as other
    join users on users.id = other.user_id
    where own.user_id = ${user_id}`
}

interface LinkedAccount {
  readonly user_id: UserId
  readonly nick: string | null
  readonly role: string | null
  readonly registered_at: string | null
  readonly shares: {
    signal: SignalType
    own_last_at: string
    last_at: string
    is_common: boolean
  }[]
}

/**
 * The accounts that share the most with this account come first. A common value, which more than the read
 * accounts share, counts last.
 */
export function linkedAccounts(rows: readonly SharedRow[]): LinkedAccount[] {
  const accounts = new Map<UserId, LinkedAccount>()
  for (const { user_id, nick, role, registered_at, ...row } of rows) {
    const account = accounts.get(user_id) ?? {
      user_id,
      nick,
      role,
      registered_at: registered_at && wireTime(registered_at),
      shares: [],
    }
    accounts.set(user_id, account)
    account.shares.push({
      signal: row.signal,
      own_last_at: wireTime(row.own_last_at),
      last_at: wireTime(row.last_at),
      is_common: row.is_common,
    })
  }
  const ranked = [...accounts.values()].map((account) => ({ account, rank: getRank(account) }))
  return ranked
    .toSorted((one, other) => one.rank - other.rank || one.account.user_id - other.account.user_id)
    .map(({ account }) => account)
}

/** Lower is stronger. */
function getRank({ shares }: LinkedAccount): number {
  return Math.min(
    ...shares.map(
      ({ signal, is_common }) => STRENGTH.indexOf(signal) + (is_common ? STRENGTH.length : 0),
    ),
  )
}

/** `duet links`: hints for staff. Nothing is decided by them: families, cafés and popular phones share them too. */
export async function showLinks(db: Db, user_id: UserId) {
  const { rows } = await sharedRows(user_id).execute(db)
  const accounts = linkedAccounts(rows)
  return {
    user_id,
    accounts: accounts.slice(0, ACCOUNTS_SHOWN_MAX),
    more: accounts.length > ACCOUNTS_SHOWN_MAX,
    note: 'Hints only. A common signal is shared by more accounts than are read, and says little.',
  }
}

/**
 * Whether the two accounts were used on one device, as far as it can be known. A fingerprint alone counts while few
 * accounts have it: all phones of a popular model report the same.
 */
export async function sharesDevice(db: Db, one: UserId, other: UserId): Promise<boolean> {
  return (await usersOnDevices(db, one, [other])).length > 0
}

/** Of these users those for which `sharesDevice` holds. */
export async function usersOnDevices(
  db: Db,
  one: UserId,
  others: readonly UserId[],
): Promise<UserId[]> {
  const { rows } = await sql<{ user_id: UserId }>`
    select distinct same.user_id from client_signals as own
    join client_signals as same on same.user_id = any(${others}) and same.signal = own.signal and same.value_hash = own.value_hash
    where own.user_id = ${one} and (own.signal = any(${CERTAIN})
      or own.signal = any(${DEVICES}) and (
        select count(*) from (
          select from client_signals as any_user where any_user.value_hash = own.value_hash limit ${ACCOUNTS_OF_VALUE_MAX + 1}
        ) as accounts) <= ${ACCOUNTS_OF_VALUE_MAX})`.execute(db)
  return rows.map(({ user_id }) => user_id)
}

/**
 * Other accounts that were used on the devices of these accounts. A value of many accounts counts as in `sharesDevice`:
 * a common fingerprint says nothing, and of a common device the latest accounts are read.
 */
export async function accountsOfDevices(db: Db, ids: readonly UserId[]): Promise<UserId[]> {
  const { rows } = await sql<{ user_id: UserId }>`
    select distinct other.user_id from client_signals as own
    cross join lateral (
      select user_id, signal, count(*) over () as accounts from (
        select user_id, signal from client_signals as same where same.value_hash = own.value_hash
        order by last_at desc limit ${ACCOUNTS_OF_VALUE_MAX + 1}) as latest) as other
    where own.user_id = any(${ids}) and own.signal = any(${DEVICES})
      and other.signal = own.signal and other.user_id <> own.user_id
      and (own.signal = any(${CERTAIN}) or other.accounts <= ${ACCOUNTS_OF_VALUE_MAX})`.execute(db)
  return rows.map(({ user_id }) => user_id)
}

/** The stored form of the network of an address. */
export function networkHash(app: AppContext, address: string): Buffer {
  const [network] = listSignals(app, { address, fingerprint: null, pro_fingerprint: null })
  return network!.value_hash
}

/** Whether the user was seen in one of these networks. Many accounts of a mobile network are no link. */
export async function sharesNetwork(
  db: Db,
  user_id: UserId,
  networks: readonly Buffer[],
): Promise<boolean> {
  return (await usersInNetworks(db, [user_id], networks)).length > 0
}

/** Of these users those for which `sharesNetwork` holds. */
export async function usersInNetworks(
  db: Db,
  user_ids: readonly UserId[],
  networks: readonly Buffer[],
): Promise<UserId[]> {
  const { rows } = await sql<{ user_id: UserId }>`
    select distinct own.user_id from client_signals as own
    where own.user_id = any(${user_ids}) and own.signal = 'network' and own.value_hash = any(${networks})
      and (select count(*) from (
        select from client_signals as any_user where any_user.value_hash = own.value_hash limit ${ACCOUNTS_OF_VALUE_MAX + 1}
      ) as accounts) <= ${ACCOUNTS_OF_VALUE_MAX}`.execute(db)
  return rows.map(({ user_id }) => user_id)
}

/** Whether the user was seen in the network of this address, also before the last restart. */
export async function belongsToNetwork(tx: Tx, user_id: UserId, address: string): Promise<boolean> {
  const row = await tx
    .selectFrom('client_signals')
    .select('signal_id')
    .where('user_id', '=', user_id)
    .where('signal', '=', 'network')
    .where('value_hash', '=', networkHash(tx.app, address))
    .executeTakeFirst()
  return row !== undefined
}
