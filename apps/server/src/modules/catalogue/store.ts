import { sql } from 'kysely'
import type { Tx } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { Db } from '../../core/db.ts'
import { lockUser } from '../identity/index.ts'
import { readGirlRank } from '../matchmaking/index.ts'
import { isOnline } from '../presence/index.ts'
import { foldName } from './girl-list.ts'
import { readGirlsByIds } from './queries.ts'

/**
 * Makes the row of a girl follow from what is stored of her: adds it, changes it or removes it. Two changes of a girl at
 * once wait for each other, so the later sees both.
 */
export async function refresh(tx: Tx, girl_id: UserId): Promise<void> {
  const row = await lockUser(tx, girl_id)
  if (row?.role !== 'girl') return
  const [girl] = await readGirlsByIds(tx, [girl_id])
  if (!girl?.is_listed) return remove(tx, girl_id)
  const is_online = isOnline(tx.app, girl_id)
  const seen = is_online ? tx.now : (row.last_visit ?? row.created_at)
  const copied = {
    rank: readGirlRank(tx.app, row),
    name: foldName(row.nick ?? ''),
    locale: row.locale,
    verified_ms: row.verified_at!.epochMilliseconds,
  }
  await tx
    .insertInto('catalogue_girls')
    .values({ girl_id, ...copied, is_online, place: toPlace(seen, is_online) })
    .onConflict((conflict) => conflict.column('girl_id').doUpdateSet(copied))
    .execute()
}

async function remove(tx: Tx, girl_id: UserId): Promise<void> {
  await tx.deleteFrom('catalogue_girls').where('girl_id', '=', girl_id).execute()
}

function toPlace({ epochMilliseconds }: Temporal.Instant, isOnlineNow: boolean): number {
  return isOnlineNow ? epochMilliseconds : -epochMilliseconds
}

/** Stores which of these girls are online. A girl whose row says so already keeps her place. */
export async function setOnline(
  db: Db,
  now: Temporal.Instant,
  online: ReadonlyMap<UserId, boolean>,
): Promise<void> {
  await sql`
    update catalogue_girls girl set is_online = given.is_online,
      place = case when given.is_online then 1 else -1 end * ${now.epochMilliseconds}::bigint
    from unnest(${[...online.keys()]}::bigint[], ${[...online.values()]}::boolean[]) given (girl_id, is_online)
    where girl.girl_id = given.girl_id and girl.is_online <> given.is_online`.execute(db)
}

/** The server process that begins holds no connection yet: every girl is offline until she connects. */
export async function setAllOffline(db: Db, now: Temporal.Instant): Promise<void> {
  await sql`
    update catalogue_girls set is_online = false, place = -${now.epochMilliseconds}::bigint
    where is_online`.execute(db)
}

/** Girls of this rank whose identity was verified before then get another rank, at most `limit`. */
export async function moveRank(
  tx: Tx,
  {
    from,
    to,
    before,
    limit,
  }: { from: number; to: number; before: Temporal.Instant; limit: number },
): Promise<number> {
  const { numAffectedRows } = await sql`
    update catalogue_girls set rank = ${to}::smallint
    where girl_id in (
      select girl_id from catalogue_girls
      where rank = ${from}::smallint and verified_ms <= ${before.epochMilliseconds}::bigint limit ${limit}::integer
      for update skip locked)`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}
