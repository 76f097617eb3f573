import type { FindingKind } from '@duet/protocol'
import { sql } from 'kysely'
import type { Db } from '../../../core/db.ts'
import type { UserId } from '../../../core/ids.ts'
import { ACCOUNTS_OF_VALUE_MAX, deviceSignals } from '../../client-signals/index.ts'
import { INSTRUMENT_ACCOUNTS_MAX } from '../../../lib/payments/instrument-accounts.ts'
import type { NewFinding } from './finding-store.ts'

/** Two accounts with something in common, of which the other is banned, or is the guy whose device a girl uses. */
export interface EvasionPair {
  readonly kind: FindingKind
  readonly user_id: UserId
  readonly other_id: UserId
}

export const toFinding = (pair: EvasionPair): NewFinding => ({
  ...pair,
  key: `${pair.kind}:${pair.user_id}:${pair.other_id}`,
})

const PAIRS_MAX = 1000

/** The user is banned now. */
const isBanned = (column: string) => sql`exists (
  select from sanctions where sanctions.user_id = ${sql.ref(column)} and kind = 'ban' and ended_at is null)`
export const bannedSince = (since: Temporal.Instant) => sql`(
  select distinct statement.user_id from statements statement
  join sanctions using (statement_id) where statement.kind = 'ban' and statement.at >= ${since} and ended_at is null)`

/** The finding of each signal that recognises a device of a person. */
const signalFindings = deviceSignals.map(({ signal, recognises }) => {
  const kind: FindingKind = `banned_${recognises}`
  return { signal, kind }
})
const SIGNALS = signalFindings.map(({ signal }) => signal)
const SIGNAL_KINDS = [...new Set(signalFindings.map(({ kind }) => kind))]

/**
 * Accounts that share a device or a passkey: an account that is not banned with a banned one, or a guy with a girl. `own` are
 * the new values, or all values of those who were banned since then.
 */
const signalPairs = (since: Temporal.Instant) => sql`
  select (${signalFindings.map(({ kind }) => kind)}::text[])[array_position(${SIGNALS}::text[], own.signal)] as kind,
    own.user_id as one, same.user_id as other from (
    select * from client_signals where first_at >= ${since}
    union all select * from client_signals where user_id in ${bannedSince(since)}) own
  cross join lateral (
    select user_id, count(*) over () as accounts from (
      select user_id from client_signals shared
      where shared.value_hash = own.value_hash and shared.signal = own.signal and shared.user_id <> own.user_id
      limit ${ACCOUNTS_OF_VALUE_MAX + 1}) sharing) same
  where own.signal = any(${SIGNALS}) and same.accounts <= ${ACCOUNTS_OF_VALUE_MAX}`

const instrumentPairs = (since: Temporal.Instant) => sql`
  select 'banned_instrument', own.user_id as one, same.user_id as other from (
    select distinct user_id, instrument from orders where user_id in ${bannedSince(since)}) own
  cross join lateral (
    select user_id, count(*) over () as accounts from (
      select distinct user_id from orders shared
      where shared.instrument = own.instrument and shared.user_id <> own.user_id
      limit ${INSTRUMENT_ACCOUNTS_MAX}) sharing) same
  where same.accounts < ${INSTRUMENT_ACCOUNTS_MAX}`

/**
 * An address of payouts is stored without the time of its last change, so the addresses of all banned users are looked up:
 * one search in the index of addresses for each.
 */
const walletPairs = sql`
  select 'banned_wallet', own.id as one, same.id as other
  from (select distinct user_id from sanctions where kind = 'ban' and ended_at is null) banned
  join users own on own.id = banned.user_id and own.usdt_wallet is not null
  cross join lateral (
    select id, count(*) over () as accounts from (
      select id from users shared where shared.usdt_wallet = own.usdt_wallet and shared.id <> own.id
      limit ${INSTRUMENT_ACCOUNTS_MAX}) sharing) same
  where same.accounts < ${INSTRUMENT_ACCOUNTS_MAX}`

/** The pairs that are not known yet, by everything but pictures. */
export async function readPairs(db: Db, since: Temporal.Instant): Promise<readonly EvasionPair[]> {
  const { rows } = await sql<EvasionPair>`
    with pairs as (${signalPairs(since)} union ${instrumentPairs(since)} union ${walletPairs}),
    both_ways as (
      select kind, one as user_id, other as other_id from pairs union select kind, other, one from pairs),
    found as (
      select case when ${isBanned('both_ways.other_id')} then kind else 'linked' end as kind, user_id, other_id
      from both_ways join users on users.id = both_ways.user_id join users other on other.id = both_ways.other_id
      where users.role is not null and users.erased_at is null and not ${isBanned('both_ways.user_id')}
        and (${isBanned('both_ways.other_id')}
          or kind = any(${SIGNAL_KINDS}) and users.role = 'girl' and other.role = 'guy'))
    select distinct kind, user_id, other_id from found
    where not exists (select from findings known
      where known.user_id = found.user_id and known.other_id = found.other_id and known.kind = found.kind)
    limit ${PAIRS_MAX}`.execute(db)
  return rows
}

/** Of these accounts, those that are banned now. */
export async function readBanned(db: Db, ids: readonly UserId[]): Promise<ReadonlySet<UserId>> {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ user_id: UserId }>`
    select distinct user_id from sanctions
    where user_id = any(${[...new Set(ids)]}::bigint[]) and kind = 'ban' and ended_at is null`.execute(
    db,
  )
  return new Set(rows.map(({ user_id }) => user_id))
}
