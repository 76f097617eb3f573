import { type Selectable, sql } from 'kysely'
import { plusMs } from '../../lib/clock.ts'
import type { App } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { Db, Tx } from '../../core/tx.ts'
import { inKeys, batchedRead } from '../../platform/database/batched-read.ts'
import type { Tables } from '../../platform/database/tables.gen.ts'
import { setting } from '../settings/index.ts'

/** Why somebody does not search although she is here: breaks, pauses, offers let pass. Rows, so that a restart forgives nothing. */
export type Rest = Selectable<Tables['search_rests']>
export type AbsenceKind = 'missed_offers' | 'no_face'

const hour_ms = 3_600_000

export const restOf: (db: Db, user_id: UserId) => Promise<Rest | undefined> = batchedRead(
  async (db, ids) => {
    const rows = await db
      .selectFrom('search_rests')
      .selectAll()
      .where('user_id', '=', inKeys(ids))
      .execute()
    return new Map(rows.map((row) => [row.user_id, row]))
  },
)

/** Her break begins or ends. */
export async function keepBreak(db: Db, user_id: UserId, on_break: boolean): Promise<void> {
  await change(db, user_id, { on_break })
}

/** She asks to search: a break is over, and so are the offers that she let pass. Only a pause goes on. */
export async function wakeUp(app: App, user_id: UserId): Promise<Temporal.Instant | undefined> {
  const row = await app.db
    .updateTable('search_rests')
    .set({ on_break: false, missed_out: false })
    .where('user_id', '=', user_id)
    .returning('paused_until')
    .executeTakeFirst()
  const until = row?.paused_until
  return until && Temporal.Instant.compare(until, app.clock.now()) > 0 ? until : undefined
}

/** How many offers in a row she has let pass. */
export async function countMissed(tx: Tx, user_id: UserId, missed_offers: number): Promise<void> {
  await change(tx, user_id, { missed_offers })
}

/** She was wanted and not there. So many in an hour, and she rests for a while: answers until when. */
export async function recordAbsence(
  tx: Tx,
  user_id: UserId,
  kind: AbsenceKind,
): Promise<Temporal.Instant | undefined> {
  await tx.insertInto('absences').values({ user_id, kind, at: tx.now }).execute()
  if (kind === 'missed_offers') await change(tx, user_id, { missed_out: true })
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from absences
    where user_id = ${user_id} and at > ${plusMs(tx.now, -hour_ms)}`.execute(tx)
  if (rows[0]!.count < setting(tx.app, 'absences_an_hour')) return undefined
  const paused_until = plusMs(tx.now, setting(tx.app, 'absence_pause') * 60_000)
  await change(tx, user_id, { paused_until })
  return paused_until
}

async function change(db: Db, user_id: UserId, to: Partial<Omit<Rest, 'user_id'>>): Promise<void> {
  await db
    .insertInto('search_rests')
    .values({ user_id, ...to })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(to))
    .execute()
}
