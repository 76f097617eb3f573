import { sql } from 'kysely'
import { productDay } from '../../lib/clock.ts'
import type { UserId } from '../../core/ids.ts'
import type { App, Tx } from '../../core/app.ts'
import type { Db } from '../../core/db.ts'
import { setting } from '../settings/index.ts'
import { insertFreeStart } from './store.ts'

/** Whether a call of these two would begin with free seconds: neither the pair nor the guy has used them up on this product day. */
export async function hasFreeStart(
  app: App,
  db: Db,
  { guy_id, girl_id, at }: { guy_id: UserId; girl_id: UserId; at: Temporal.Instant },
): Promise<boolean> {
  const { rows } = await sql<{ of_pair: number; of_day: number }>`
    select coalesce(sum(uses) filter (where girl_id = ${girl_id}), 0)::integer as of_pair,
      coalesce(sum(uses), 0)::integer as of_day
    from free_starts where guy_id = ${guy_id} and day = ${productDay(at)}`.execute(db)
  const { of_pair, of_day } = rows[0]!
  return of_pair < setting(app, 'pair_free_start') && of_day < setting(app, 'free_starts_a_day')
}

/** The clock of a call with free seconds has started: the pair's free start of this day is used. */
export function consumeFreeStart(tx: Tx, guy_id: UserId, girl_id: UserId): Promise<void> {
  return insertFreeStart(tx, {
    guy_id,
    girl_id,
    day: productDay(tx.now),
    uses_max: setting(tx.app, 'pair_free_start'),
  })
}
