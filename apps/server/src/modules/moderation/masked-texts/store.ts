import { sql } from 'kysely'
import type { Tx } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'

/** Records that a viewer begins a look, and returns its number. */
export async function recordMaskedView(
  tx: Tx,
  view: { readonly user_id: UserId; readonly viewer: string },
): Promise<number> {
  const { view_id } = await tx
    .insertInto('masked_text_views')
    .values({ ...view, at: tx.now })
    .returning('view_id')
    .executeTakeFirstOrThrow()
  return view_id
}

/** The look has shown every text up to this moment. */
export async function setViewUntil(
  tx: Tx,
  view_id: number,
  until: Temporal.Instant,
): Promise<void> {
  await tx.updateTable('masked_text_views').set({ until }).where('view_id', '=', view_id).execute()
}

/** Marks the last look of this viewer at texts that were not done; false if there is none. Texts that it did not show still wait. */
export async function markViewDone(
  tx: Tx,
  { user_id, viewer }: { readonly user_id: UserId; readonly viewer: string },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update masked_text_views set is_done = true where view_id = (
      select view_id from masked_text_views where user_id = ${user_id} and viewer = ${viewer} and until is not null
      order by at desc, view_id desc limit 1)`.execute(tx)
  return numAffectedRows > 0n
}

/** Marks one look of a viewer done. Returns up to when it has shown the texts; undefined if there is no such look. */
export async function markOneViewDone(
  tx: Tx,
  view: { readonly view_id: number; readonly user_id: UserId; readonly viewer: string },
): Promise<Temporal.Instant | undefined> {
  const row = await tx
    .updateTable('masked_text_views')
    .set({ is_done: true })
    .where('view_id', '=', view.view_id)
    .where('user_id', '=', view.user_id)
    .where('viewer', '=', view.viewer)
    .where('until', 'is not', null)
    .returning('until')
    .executeTakeFirst()
  return row?.until ?? undefined
}
