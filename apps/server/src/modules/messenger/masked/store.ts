import { sql } from 'kysely'
import type { Tx } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'

export async function recordMaskedView(
  tx: Tx,
  view: { readonly user_id: UserId; readonly viewer: string },
): Promise<void> {
  await tx
    .insertInto('masked_text_views')
    .values({ ...view, at: tx.now })
    .execute()
}

/** Marks the last look of this viewer as done; false if there is none. Texts after the look still wait. */
export async function markViewDone(
  tx: Tx,
  { user_id, viewer }: { readonly user_id: UserId; readonly viewer: string },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update masked_text_views set is_done = true where view_id = (
      select view_id from masked_text_views where user_id = ${user_id} and viewer = ${viewer}
      order by at desc, view_id desc limit 1)`.execute(tx)
  return numAffectedRows > 0n
}
