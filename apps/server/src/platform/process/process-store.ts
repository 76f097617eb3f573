import { sql } from 'kysely'
import type { Db } from '../../core/db.ts'
import type { Tx } from '../../core/app.ts'
import { inKeys } from '../database/statements/batched-read.ts'
import type { ProcessId, ProcessStamp, ProcessTable } from './process.ts'

/** The first key of an owner's advisory lock: a number that no other lock in this database uses. */
export const OWNER_LOCK_CLASS = 4_205_020

type AnyTable<Id extends ProcessId> = Pick<ProcessTable<Id, unknown>, 'name' | 'id_column' | 'open'>

/** The stamp of a row, locked until the transaction ends. */
export async function lockStamp<Id extends ProcessId>(
  tx: Tx,
  { name, id_column }: AnyTable<Id>,
  id: Id,
): Promise<ProcessStamp | undefined> {
  const { rows } = await sql<ProcessStamp>`
    select owner_id, fence, version from ${sql.table(name)}
    where ${sql.ref(id_column)} = ${id} for update`.execute(tx)
  return rows[0]
}

/** The stamps of those rows that no other transaction has locked, locked until the transaction ends. It never waits. */
export async function lockFreeStamps<Id extends ProcessId>(
  tx: Tx,
  { name, id_column }: AnyTable<Id>,
  ids: readonly Id[],
): Promise<ReadonlyMap<Id, ProcessStamp>> {
  const { rows } = await sql<ProcessStamp & { readonly id: Id }>`
    select ${sql.ref(id_column)} as id, owner_id, fence, version from ${sql.table(name)}
    where ${sql.ref(id_column)} = ${inKeys(ids)} for update skip locked`.execute(tx)
  return new Map(rows.map(({ id, ...stamp }) => [id, stamp]))
}

/** Makes this server process the owner of a row that is locked. */
export async function takeOver<Id extends ProcessId>(
  tx: Tx,
  { name, id_column }: AnyTable<Id>,
  id: Id,
): Promise<ProcessStamp> {
  const { rows } = await sql<ProcessStamp>`
    update ${sql.table(name)} set owner_id = ${tx.app.processOwner.id}, fence = fence + 1
    where ${sql.ref(id_column)} = ${id} returning owner_id, fence, version`.execute(tx)
  return rows[0]!
}

/** A process that this owner has claimed, with its new fence. */
export interface ClaimedProcess<Id> {
  readonly id: Id
  readonly fence: number
  readonly version: number
}

/**
 * Claims every open process whose owner is another owner and not alive, or only the process of `only`. Its
 * fence rises. A process of this owner is never claimed: memory may have loaded it with the fence of the
 * row.
 *
 * One statement claims some thousand rows: a statement has little time, however long the history is.
 *
 * `is_start`: an owner whose lock is gone counts as dead at once. Later only its lease counts, because a
 * database that restarts takes the locks of all owners.
 */
export async function claimProcesses<Id extends ProcessId>(
  db: Db,
  table: AnyTable<Id>,
  by: Claimer<Id>,
): Promise<ClaimedProcess<Id>[]> {
  const claimed: ClaimedProcess<Id>[] = []
  for (;;) {
    const batch = await claimBatch(db, table, by)
    if (batch.length === 0) return claimed
    claimed.push(...batch)
  }
}

const CLAIM_BATCH_SIZE = 5000

interface Claimer<Id> {
  readonly owner_id: number
  readonly now: Temporal.Instant
  readonly is_start: boolean
  readonly only?: Id | undefined
}

async function claimBatch<Id extends ProcessId>(
  db: Db,
  { name, id_column, open }: AnyTable<Id>,
  { owner_id, now, is_start, only }: Claimer<Id>,
): Promise<ClaimedProcess<Id>[]> {
  const id = sql.ref(id_column)
  const { rows } = await sql<ClaimedProcess<Id>>`
    update ${sql.table(name)} set owner_id = ${owner_id}, fence = fence + 1
    where ${id} = any(array(select ${id} from ${sql.table(name)}
    where (${open}) and owner_id is distinct from ${owner_id} ${only === undefined ? sql`` : sql`and ${id} = ${only}`}
      and coalesce(owner_id, 0) not in (
        select o.owner_id from process_owners o
        where o.lease_until > ${now} and (not ${is_start}::boolean or exists (
          select 1 from pg_locks l where l.locktype = 'advisory' and l.granted
            and l.database = (select oid from pg_database where datname = current_database())
            and l.classid = ${OWNER_LOCK_CLASS}::oid and l.objid = o.owner_id::oid)))
    limit ${CLAIM_BATCH_SIZE} for update))
    returning ${id} as id, fence, version`.execute(db)
  return rows
}

/** Whether another owner is alive. Processes that this server process does not know may be open there. */
export async function hasOtherOwner(
  db: Db,
  { owner_id, now }: { owner_id: number; now: Temporal.Instant },
): Promise<boolean> {
  const other = await db
    .selectFrom('process_owners')
    .select('owner_id')
    .where('owner_id', '<>', owner_id)
    .where('lease_until', '>', now)
    .executeTakeFirst()
  return other !== undefined
}

/** The ids of the open processes of one owner. */
export async function readOpenProcesses<Id extends ProcessId>(
  db: Db,
  { name, id_column, open }: AnyTable<Id>,
  owner_id: number,
): Promise<Id[]> {
  const { rows } = await sql<{ id: Id }>`
    select ${sql.ref(id_column)} as id from ${sql.table(name)}
    where (${open}) and owner_id = ${owner_id}`.execute(db)
  return rows.map((row) => row.id)
}

export async function insertOwner(
  db: Db,
  lease: { now: Temporal.Instant; until: Temporal.Instant },
): Promise<number> {
  const { rows } = await sql<{ owner_id: number }>`
    insert into process_owners (owner_id, started_at, lease_until)
    values (nextval('process_owner_ids'), ${lease.now}, ${lease.until}) returning owner_id`.execute(
    db,
  )
  return rows[0]!.owner_id
}

/**
 * One statement for all processes of this owner. If the owner was suspended for so long that its row was
 * deleted, the row is inserted again. The fences of its former processes have risen since.
 */
export async function renewLease(
  db: Db,
  owner_id: number,
  lease: { now: Temporal.Instant; until: Temporal.Instant },
): Promise<void> {
  await sql`
    insert into process_owners (owner_id, started_at, lease_until)
    values (${owner_id}, ${lease.now}, ${lease.until})
    on conflict (owner_id) do update set lease_until = excluded.lease_until`.execute(db)
}

/** The latest end of a lease of another owner. */
export async function latestLeaseOfOthers(
  db: Db,
  owner_id: number,
): Promise<Temporal.Instant | undefined> {
  const row = await db
    .selectFrom('process_owners')
    .select('lease_until')
    .where('owner_id', '<>', owner_id)
    .orderBy('lease_until', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.lease_until
}

export async function deleteOwner(db: Db, owner_id: number): Promise<void> {
  await db.deleteFrom('process_owners').where('owner_id', '=', owner_id).execute()
}

/** Owners that died long ago: their processes were claimed. */
export async function deleteOldOwners(db: Db, before: Temporal.Instant): Promise<void> {
  await db.deleteFrom('process_owners').where('lease_until', '<', before).execute()
}
