import type { Insertable } from 'kysely'
import type { Tx } from '../../../core/app.ts'
import type { Db } from '../../../core/db.ts'
import type { Tables } from '../../../core/tables.gen.ts'

export async function insertPicture(
  tx: Tx,
  picture: Omit<Insertable<Tables['penalty_pictures']>, 'at' | 'statement_id'>,
): Promise<void> {
  await tx
    .insertInto('penalty_pictures')
    .values({ ...picture, at: tx.now })
    .execute()
}

/** A picture belongs to one penalty, by the person who uploaded it. False: there is no such picture. */
export async function attachPicture(
  tx: Tx,
  { picture_id, statement_id, by }: { picture_id: string; statement_id: number; by: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('penalty_pictures')
    .set({ statement_id })
    .where('picture_id', '=', picture_id)
    .where('statement_id', 'is', null)
    .where('uploaded_by', '=', by)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export function pictureOfPenalty(db: Db, statement_id: number) {
  return db
    .selectFrom('penalty_pictures')
    .select(['picture_id', 'content'])
    .where('statement_id', '=', statement_id)
    .executeTakeFirst()
}
