import type { App, AppContext, Tx } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { DomainEvents } from '../../core/domain-events.ts'
import { plusMs } from '../../lib/clock.ts'
import { mediaKey, mediaKeys, UPLOADED_VIDEO } from './media-key.ts'
import { mediaAmong, oldDrafts } from './queries.ts'
import { removeAged, removeDraft, removeOrWithdraw } from './store.ts'

export const DELETE_FILES = 'delete_media_files'
/** Few enough that one delivery of the outbox deletes them in time. */
const IDS_A_DELIVERY = 20
/** No upload takes so long between its first file and its row. */
const DRAFT_MS = 3_600_000
const SWEEP_ROWS = 500

/**
 * Removes uploads: the rows in this transaction, the files after its commit. So no row is without its files, and files whose
 * row is gone are deleted also after a crash. What a hold keeps is hidden from all viewers, and retention deletes it after
 * the hold.
 */
export async function removeUploads(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await deleteFiles(tx, await removeOrWithdraw(tx, { ids }))
}

async function deleteFiles(tx: Tx, ids: readonly string[]): Promise<void> {
  for (let from = 0; from < ids.length; from += IDS_A_DELIVERY)
    await tx.enqueue(DELETE_FILES, { ids: ids.slice(from, from + IDS_A_DELIVERY) })
}

/** Deletes a video as it was uploaded, after the commit: its converted form takes its place. */
export async function deleteUploadedVideo(tx: Tx, id: string): Promise<void> {
  await tx.enqueue(DELETE_FILES, { ids: [], uploaded: [id] })
}

/**
 * Deletes the files of uploads that have no row any more, and of converted videos what was uploaded. Deleting what is not
 * there does nothing, so it may be repeated.
 */
export async function deliverDeletion(
  { storage }: Pick<AppContext, 'storage'>,
  { ids, uploaded = [] }: { ids: readonly string[]; uploaded?: readonly string[] },
): Promise<void> {
  // A storage far away answers slowly: in a row the deletions would take longer than one delivery may.
  for (const id of ids) await Promise.all(mediaKeys(id).map((key) => storage.delete(key)))
  for (const id of uploaded) await storage.delete(mediaKey(id, UPLOADED_VIDEO))
}

/** Deletes the files of uploads that ended before their row was written, and of videos that lost it during their conversion. */
export async function sweepDrafts(app: App): Promise<void> {
  const before = plusMs(app.clock.now(), -DRAFT_MS)
  for (;;) {
    const ids = await oldDrafts(app.db, before, SWEEP_ROWS)
    await app.transact(async (tx) => {
      const own: string[] = []
      for (const id of ids) if (await removeDraft(tx, id)) own.push(id)
      // A conversion that did not end left its draft beside the row.
      const kept = await mediaAmong(tx, own)
      await deleteFiles(
        tx,
        own.filter((id) => !kept.has(id)),
      )
    })
    if (ids.length < SWEEP_ROWS) return
  }
}

/** Purges for retention rules: rows and files go together. */
export function purgeAged(kind: 'removed' | 'private') {
  return async (tx: Tx, before: Temporal.Instant, limit: number): Promise<number> => {
    const ids = await removeAged(tx, kind, before, limit)
    await deleteFiles(tx, ids)
    return ids.length
  }
}

/** An erased guest has no uploads. */
export async function deleteAllMedia(
  tx: Tx,
  { user_id }: DomainEvents['guest_erased'],
): Promise<void> {
  await deleteUserMedia(tx, user_id)
}

/** An erasure. What is evidence of the receiver of a picture stays, hidden from all users. */
export async function deleteUserMedia(tx: Tx, user_id: UserId): Promise<void> {
  await deleteFiles(tx, await removeOrWithdraw(tx, { owner_id: user_id }))
}
