import { sql } from 'kysely'
import type { BulkKind } from '@duet/protocol/contracts/bulk.ts'
import type { Tx } from '../../core/app.ts'
import type { Db } from '../../core/db.ts'
import type { Selectable } from 'kysely'
import type { Tables } from '../../core/tables.gen.ts'

export type BulkStop = Selectable<Tables['bulk_stops']>

/** The acts of a kind of one person happen one after the other. */
export async function lockActs(tx: Tx, actor: string, kind: BulkKind): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`bulk ${kind} ${actor}`}, 0))`.execute(
    tx,
  )
}

export async function isStopped(tx: Tx, actor: string, kind: BulkKind): Promise<boolean> {
  const stop = await tx
    .selectFrom('bulk_stops')
    .select('stop_id')
    .where('actor', '=', actor)
    .where('kind', '=', kind)
    .where('allowed_at', 'is', null)
    .executeTakeFirst()
  return stop !== undefined
}

export async function insertAct(tx: Tx, actor: string, kind: BulkKind): Promise<void> {
  await tx.insertInto('bulk_acts').values({ actor, kind, at: tx.now }).execute()
}

/** The acts since this time that no second person has allowed yet. */
export async function countActs(
  tx: Tx,
  actor: string,
  kind: BulkKind,
  since: Temporal.Instant,
): Promise<number> {
  const { rows } = await sql<{ acts: number }>`
    select count(*)::integer as acts from bulk_acts where actor = ${actor} and kind = ${kind} and at > ${since}
      and at > coalesce((select max(allowed_at) from bulk_stops where actor = ${actor} and kind = ${kind}), '-infinity')`.execute(
    tx,
  )
  return rows[0]!.acts
}

export async function insertStop(
  tx: Tx,
  stop: { actor: string; staff_id: number | null; kind: BulkKind; acts: number },
): Promise<void> {
  await tx
    .insertInto('bulk_stops')
    .values({ ...stop, stopped_at: tx.now })
    .execute()
}

/** The stops that wait for a second person, the oldest first. */
export function openStops(db: Db, limit: number): Promise<BulkStop[]> {
  return db
    .selectFrom('bulk_stops')
    .selectAll()
    .where('allowed_at', 'is', null)
    .orderBy('stop_id')
    .limit(limit)
    .execute()
}

export function lockStop(tx: Tx, stop_id: number): Promise<BulkStop | undefined> {
  return tx
    .selectFrom('bulk_stops')
    .selectAll()
    .where('stop_id', '=', stop_id)
    .forUpdate()
    .executeTakeFirst()
}

export async function endStop(tx: Tx, stop_id: number, allowed_by: string): Promise<void> {
  await tx
    .updateTable('bulk_stops')
    .set({ allowed_by, allowed_at: tx.now })
    .where('stop_id', '=', stop_id)
    .executeTakeFirstOrThrow()
}
