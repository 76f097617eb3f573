import { sql } from 'kysely'
import type { FindingKind } from '@duet/protocol'
import type { App } from '../../../core/app.ts'
import type { Db } from '../../../core/db.ts'
import type { DomainEvents } from '../../../core/domain-events.ts'
import type { UserId } from '../../../core/ids.ts'
import type { Tx } from '../../../core/app.ts'
import { INSTRUMENT_ACCOUNTS_MAX } from '../../../lib/payments/instrument-accounts.ts'
import { findCopies } from '../../media/index.ts'
import { addFindings, type NewFinding } from './finding-store.ts'

/**
 * The job runs each ten minutes and looks back further than that, so a run that failed leaves nothing out. What is found
 * again is already known by its key.
 */
const WINDOW_HOURS = 1
/** Accounts that are read of one value. A value of more accounts is a popular phone, and says nothing. */
const ACCOUNTS_OF_VALUE_MAX = 50
const PAIRS_MAX = 1000
const PICTURES_MAX = 500
const COPIES_MAX = 20

interface Pair {
  readonly kind: FindingKind
  readonly user_id: UserId
  readonly other_id: UserId
}

/** The user is banned now. */
const isBanned = (column: string) => sql`exists (
  select from sanctions where sanctions.user_id = ${sql.ref(column)} and kind = 'ban' and ended_at is null)`
const bannedSince = (since: Temporal.Instant) => sql`(
  select distinct statement.user_id from statements statement
  join sanctions using (statement_id) where statement.kind = 'ban' and statement.at >= ${since} and ended_at is null)`

/**
 * Accounts that share a device: an account that is not banned with a banned one, or a guy with a girl. `own` are the new
 * values, or all values of those who were banned since then.
 */
const devicePairs = (since: Temporal.Instant) => sql`
  select own.user_id as one, same.user_id as other from (
    select * from client_signals where first_at >= ${since}
    union all select * from client_signals where user_id in ${bannedSince(since)}) own
  cross join lateral (
    select user_id, count(*) over () as accounts from client_signals shared
    where shared.value_hash = own.value_hash and shared.signal = own.signal and shared.user_id <> own.user_id
    limit ${ACCOUNTS_OF_VALUE_MAX + 1}) same
  where own.signal in ('device', 'pro_fingerprint', 'fingerprint') and same.accounts <= ${ACCOUNTS_OF_VALUE_MAX}`

const instrumentPairs = (since: Temporal.Instant) => sql`
  select own.user_id as one, same.user_id as other from (
    select distinct user_id, instrument from orders where user_id in ${bannedSince(since)}) own
  cross join lateral (
    select user_id, count(*) over () as accounts from (
      select distinct user_id from orders shared
      where shared.instrument = own.instrument and shared.user_id <> own.user_id
      limit ${INSTRUMENT_ACCOUNTS_MAX}) sharing) same
  where same.accounts < ${INSTRUMENT_ACCOUNTS_MAX}`

async function readPairs(db: Db, since: Temporal.Instant): Promise<readonly Pair[]> {
  const { rows } = await sql<Pair>`
    with pairs as (
      select 'banned_device' as kind, one, other from (${devicePairs(since)}) device
      union select 'banned_instrument', one, other from (${instrumentPairs(since)}) instrument),
    both_ways as (
      select kind, one as user_id, other as other_id from pairs union select kind, other, one from pairs)
    select case when ${isBanned('both_ways.other_id')} then kind else 'linked' end as kind, user_id, other_id
    from both_ways join users on users.id = both_ways.user_id join users other on other.id = both_ways.other_id
    where users.role is not null and users.erased_at is null and not ${isBanned('both_ways.user_id')}
      and (${isBanned('both_ways.other_id')} or kind = 'banned_device' and users.role = 'girl' and other.role = 'guy')
      and not exists (select from findings known where known.user_id = both_ways.user_id and known.other_id = both_ways.other_id
        and known.kind = case when ${isBanned('both_ways.other_id')} then both_ways.kind else 'linked' end)
    limit ${PAIRS_MAX}`.execute(db)
  return rows
}

/** The users who uploaded a picture since then that a banned user has, too. */
async function readPicturePairs(db: Db, since: Temporal.Instant): Promise<readonly Pair[]> {
  const checks = await db
    .selectFrom('image_checks')
    .select(['owner_id', 'hash'])
    .where('checked_at', '>=', since)
    .where('hash', 'is not', null)
    .where('verdict', '!=', 'refused')
    .orderBy('checked_at', 'desc')
    .limit(PICTURES_MAX)
    .execute()
  const pairs: Pair[] = []
  for (const { owner_id: user_id, hash } of checks) {
    if (hash === null) continue
    const of = { hashes: [{ hash, mirrored: hash }], ids: [] }
    const copies = await findCopies(db, of, { limit: COPIES_MAX, after: null })
    const owners = new Set(copies.map((copy) => copy.owner_id))
    owners.delete(user_id)
    for (const other_id of owners) pairs.push({ kind: 'banned_picture', user_id, other_id })
  }
  return pairs
}

/** Of these accounts, those that are banned now. */
async function readBanned(db: Db, ids: readonly UserId[]): Promise<ReadonlySet<UserId>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('sanctions')
    .select('user_id')
    .where('user_id', 'in', ids)
    .where('kind', '=', 'ban')
    .where('ended_at', 'is', null)
    .execute()
  return new Set(rows.map(({ user_id }) => user_id))
}

const toFinding = (pair: Pair): NewFinding => ({
  ...pair,
  key: `${pair.kind}:${pair.user_id}:${pair.other_id}`,
})

/** Finds accounts of banned users, and girls who use the device of a guy. It bans no user. */
export async function findEvasions(app: App): Promise<void> {
  const since = app.clock.now().subtract({ hours: WINDOW_HOURS })
  const pairs = await readPairs(app.db, since)
  const pictures = await readPicturePairs(app.db, since)
  const banned = await readBanned(
    app.db,
    pictures.flatMap(({ user_id, other_id }) => [user_id, other_id]),
  )
  const returned = pictures.filter(
    ({ user_id, other_id }) => banned.has(other_id) && !banned.has(user_id),
  )
  await app.transact((tx) => addFindings(tx, [...pairs, ...returned].map(toFinding)))
}

/** A purchase was paid with the card or wallet of a banned user. */
export async function followPurchase(
  tx: Tx,
  { user_id, instrument }: DomainEvents['purchase_paid'],
): Promise<void> {
  if (instrument === null) return
  const rows = await tx
    .selectFrom('orders')
    .select('user_id')
    .distinct()
    .where('instrument', '=', instrument)
    .where('user_id', '!=', user_id)
    .limit(INSTRUMENT_ACCOUNTS_MAX)
    .execute()
  if (rows.length === INSTRUMENT_ACCOUNTS_MAX) return
  const banned = await readBanned(
    tx,
    rows.map((row) => row.user_id),
  )
  const pairs = [...banned].map((other_id) => ({
    kind: 'banned_instrument' as const,
    user_id,
    other_id,
  }))
  await addFindings(tx, pairs.map(toFinding))
}
