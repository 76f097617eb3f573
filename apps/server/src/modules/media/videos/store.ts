import { sql } from 'kysely'
import type { Tx } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'

/** A video that this process converts. */
export interface ClaimedVideo {
  readonly id: string
  readonly owner_id: UserId
  readonly audience: string
}

/**
 * Claims the video that waits longest of the next owner after `after`, so that owners take turns; undefined when none waits.
 * A draft stands for the files that the conversion writes: the row may be gone before they are.
 */
export async function claimVideo(
  tx: Tx,
  { after, until }: { readonly after: UserId | undefined; readonly until: Temporal.Instant },
): Promise<ClaimedVideo | undefined> {
  const { rows } = await sql<ClaimedVideo>`
    update media set claimed_until = ${until}
    where id = (
      select id from media
      where status = 'processing' and (claimed_until is null or claimed_until <= ${tx.now})
      order by owner_id <= ${after ?? 0}, owner_id, created_at limit 1 for update skip locked)
    returning id, owner_id, audience`.execute(tx)
  const [video] = rows
  if (video)
    await tx
      .insertInto('media_drafts')
      .values({ id: video.id, created_at: tx.now })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ created_at: tx.now }))
      .execute()
  return video
}

/** Holds a claimed video longer, or releases it with `until` null. False when the video is not waiting any more. */
export async function extendClaim(
  tx: Tx,
  id: string,
  until: Temporal.Instant | null,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('media')
    .set({ claimed_until: until })
    .where('id', '=', id)
    .where('status', '=', 'processing')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** How a conversion ended. */
export type VideoOutcome =
  | {
      readonly status: 'ready' | 'pending'
      readonly reason: string | null
      readonly width: number
      readonly height: number
      readonly bytes: number
    }
  | { readonly status: 'failed' | 'removed'; readonly reason: string }

/**
 * False when the video is not waiting any more: it was deleted, or another server process converted it. A video that its
 * owner marked as adult during the conversion waits for staff.
 */
export async function finishVideo(tx: Tx, id: string, outcome: VideoOutcome): Promise<boolean> {
  const isShown = outcome.status === 'ready' || outcome.status === 'pending'
  const status =
    outcome.status === 'ready'
      ? sql<string>`case when audience = 'adult' then 'pending' else 'ready' end`
      : outcome.status
  const { numUpdatedRows } = await tx
    .updateTable('media')
    .set({
      ...outcome,
      status,
      claimed_until: null,
      queued_at: sql<Temporal.Instant | null>`case when ${status} = 'pending' then ${tx.now}::timestamptz end`,
      ...(!isShown && { bytes: 0, reviewed_at: tx.now }),
    })
    .where('id', '=', id)
    .where('status', '=', 'processing')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
