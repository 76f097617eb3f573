import { sql } from 'kysely'
import type { QueueName } from '@duet/protocol'
import type { Tx } from '../../core/app.ts'
import { setting } from '../settings/index.ts'

/** Takes a free case, or keeps the own one. False: another member of staff has it. */
export async function putClaim(
  tx: Tx,
  staff_id: number,
  { queue, id: item }: { readonly queue: QueueName; readonly id: string },
): Promise<boolean> {
  const until = tx.now.add({ minutes: setting(tx.app, 'staff_claim_minutes') })
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('staff_claims')
    .values({ queue, item, staff_id, until })
    .onConflict((conflict) =>
      conflict
        .columns(['queue', 'item'])
        .doUpdateSet({ staff_id, until })
        .where(
          sql<boolean>`staff_claims.staff_id = ${staff_id} or staff_claims.until <= ${tx.now}`,
        ),
    )
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

/** Gives the own claim of a case back. */
export async function removeClaim(
  tx: Tx,
  staff_id: number,
  queue: QueueName,
  item: string,
): Promise<void> {
  await tx
    .deleteFrom('staff_claims')
    .where('queue', '=', queue)
    .where('item', '=', item)
    .where('staff_id', '=', staff_id)
    .execute()
}
