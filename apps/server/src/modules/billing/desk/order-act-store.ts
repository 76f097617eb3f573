import type { Insertable } from 'kysely'
import type { Tx } from '../../../core/app.ts'
import type { Db } from '../../../core/db.ts'
import type { Tables } from '../../../core/tables.gen.ts'

const ACTS_MAX = 50

export async function insertOrderAct(
  tx: Tx,
  act: Omit<Insertable<Tables['order_acts']>, 'at'>,
): Promise<void> {
  await tx
    .insertInto('order_acts')
    .values({ ...act, at: tx.now })
    .execute()
}

/** The decisions of staff about an order, the first act first. */
export function readOrderActs(db: Db, order_id: number) {
  return db
    .selectFrom('order_acts')
    .select(['act', 'place', 'decided_by', 'reason', 'at'])
    .where('order_id', '=', order_id)
    .orderBy('act_id')
    .limit(ACTS_MAX)
    .execute()
}
