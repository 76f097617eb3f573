import type { Tx } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'

export interface NewHold {
  readonly user_id: UserId
  readonly reason: string
  readonly placed_by: string
}

/** Puts the evidence about a user on hold, and returns the number of the hold. A user may have many. */
export async function placeHold(tx: Tx, hold: NewHold): Promise<number> {
  const { hold_id } = await tx
    .insertInto('evidence_holds')
    .values({ ...hold, placed_at: tx.now })
    .returning('hold_id')
    .executeTakeFirstOrThrow()
  return hold_id
}

/** Returns the user of the hold. Undefined if no hold with this id is open. */
export async function liftHold(tx: Tx, hold_id: number): Promise<UserId | undefined> {
  const row = await tx
    .updateTable('evidence_holds')
    .set({ lifted_at: tx.now })
    .where('hold_id', '=', hold_id)
    .where('lifted_at', 'is', null)
    .returning('user_id')
    .executeTakeFirst()
  return row?.user_id
}
