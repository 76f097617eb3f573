import type { Selectable } from 'kysely'
import type { Tx } from '../../core/app.ts'
import type { Db } from '../../core/db.ts'
import type { Tables } from '../../core/tables.gen.ts'
import type { PushTarget } from '../../integrations/push/push.ts'

/** A further browser ends the oldest. */
const BROWSERS_MAX = 10

/** A browser belongs to the member who used it last. */
export async function putBrowser(tx: Tx, staff_id: number, target: PushTarget): Promise<void> {
  const { endpoint, p256dh, auth } = target
  await tx
    .insertInto('staff_push')
    .values({ staff_id, endpoint, p256dh, auth, at: tx.now })
    .onConflict((conflict) =>
      conflict.column('endpoint').doUpdateSet({ staff_id, p256dh, auth, at: tx.now }),
    )
    .execute()
  const newest = tx
    .selectFrom('staff_push')
    .select('push_id')
    .where('staff_id', '=', staff_id)
    .orderBy('at', 'desc')
    .orderBy('push_id', 'desc')
    .limit(BROWSERS_MAX)
  await tx
    .deleteFrom('staff_push')
    .where('staff_id', '=', staff_id)
    .where('push_id', 'not in', newest)
    .execute()
}

export async function removeBrowser(tx: Tx, staff_id: number, endpoint: string): Promise<void> {
  await tx
    .deleteFrom('staff_push')
    .where('staff_id', '=', staff_id)
    .where('endpoint', '=', endpoint)
    .execute()
}

export async function removeBrowsers(tx: Tx, staff_id: number): Promise<void> {
  await tx.deleteFrom('staff_push').where('staff_id', '=', staff_id).execute()
}

/** The browsers of these members. */
export async function browserIds(tx: Tx, staffIds: readonly number[]): Promise<number[]> {
  const rows = await tx
    .selectFrom('staff_push')
    .select('push_id')
    .where('staff_id', 'in', [...staffIds, 0])
    .execute()
  return rows.map(({ push_id }) => push_id)
}

export function browserById(
  db: Db,
  push_id: number,
): Promise<Selectable<Tables['staff_push']> | undefined> {
  return db.selectFrom('staff_push').selectAll().where('push_id', '=', push_id).executeTakeFirst()
}
