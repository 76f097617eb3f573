import { type Selectable, sql } from 'kysely'
import type { DateMinutes, DateState, OpenWeek } from '@duet/protocol'
import type { Role } from '@duet/protocol/kernel/roles.ts'
import type { Tx } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { Tables } from '../../core/tables.gen.ts'
import { assert } from '../../lib/assert.ts'
import type { ProcessStamp } from '../../platform/process/process.ts'
import type { VirtualDateRecord } from './date-record.ts'

export async function nextDateId(tx: Tx): Promise<number> {
  const { rows } = await sql<{ id: number }>`select nextval('virtual_date_ids') as id`.execute(tx)
  return rows[0]!.id
}

export function toRecord(row: Selectable<Tables['virtual_dates']>): VirtualDateRecord {
  const { owner_id: _owner, fence: _fence, version: _version, ...record } = row
  return {
    ...record,
    minutes: row.minutes as DateMinutes,
    state: row.state as DateState,
    cancelled_by: row.cancelled_by as Role | null,
  }
}

export async function insertDate(
  tx: Tx,
  date: VirtualDateRecord,
  stamp: ProcessStamp,
): Promise<boolean> {
  await tx
    .insertInto('virtual_dates')
    .values({ ...date, ...stamp })
    .execute()
  return true
}

/** The runtime holds the lock of the row. A date that is over stays as it ended. */
export async function updateDate(
  tx: Tx,
  { date_id, ...date }: VirtualDateRecord,
  { fence, version }: Pick<ProcessStamp, 'fence' | 'version'>,
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('virtual_dates')
    .set({ ...date, version })
    .where('date_id', '=', date_id)
    .where('fence', '=', fence)
    .executeTakeFirst()
  assert(numUpdatedRows === 1n, 'the row of an open date is updated by its owner')
}

/**
 * Until this transaction ends, no other transaction adds a date of these two: it would not see the date that this
 * transaction adds. In the order of the ids, so that two requests never wait for each other.
 */
export async function lockCalendars(tx: Tx, ids: readonly UserId[]): Promise<void> {
  for (const id of ids.toSorted((one, other) => one - other))
    await sql`select pg_advisory_xact_lock(hashtextextended(${`dates ${id}`}, 0))`.execute(tx)
}

/** Stores the week if the stored week is still the one before it. */
export async function storeWeek(
  tx: Tx,
  girl_id: UserId,
  { zone, hours, version }: OpenWeek,
): Promise<boolean> {
  const row = { zone, hours: JSON.stringify(hours), version, changed_at: tx.now }
  const saved =
    version === 1
      ? await tx
          .insertInto('date_hours')
          .values({ girl_id, ...row })
          .onConflict((conflict) => conflict.doNothing())
          .returning('girl_id')
          .executeTakeFirst()
      : await tx
          .updateTable('date_hours')
          .set(row)
          .where('girl_id', '=', girl_id)
          .where('version', '=', version - 1)
          .returning('girl_id')
          .executeTakeFirst()
  return saved !== undefined
}
