import { sql } from 'kysely'
import type { QueueName } from '@duet/protocol'
import type { Tx } from '../../core/app.ts'
import type { QueuedCase } from '../../core/hooks.ts'
import { setting } from '../settings/index.ts'

/** Cases that one person can work on, with a decision that is still to be sent. */
const CLAIMS_MAX = 5

/** Takes a free case, keeps the own one, or with `take_over` takes that of another. False: another member of staff has it. */
export async function putClaim(
  tx: Tx,
  staff_id: number,
  { queue, id: item, take_over }: QueuedCase & { readonly take_over: boolean },
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
          sql<boolean>`${take_over} or staff_claims.staff_id = ${staff_id} or staff_claims.until <= ${tx.now}`,
        ),
    )
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

/** One person does not hold a queue by claims: beside this case the member keeps the newest ones, and the others are free. */
export async function keepNewestClaims(
  tx: Tx,
  staff_id: number,
  { queue, id: item }: QueuedCase,
): Promise<void> {
  await sql`
    delete from staff_claims where staff_id = ${staff_id} and (queue, item) not in (
      select queue, item from staff_claims where staff_id = ${staff_id}
      order by (queue = ${queue} and item = ${item}) desc, until desc, queue, item limit ${CLAIMS_MAX})`.execute(
    tx,
  )
}

export async function removeClaims(tx: Tx, staff_id: number): Promise<void> {
  await tx.deleteFrom('staff_claims').where('staff_id', '=', staff_id).execute()
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
