import { newUuid } from '../../lib/ids.ts'
import { refuse } from '../../lib/refusal.ts'
import type { App } from '../../core/app.ts'
import type { EncodeOptions, ProcessedImage } from '../../integrations/images/images.ts'
import { deliverDeletion } from './delete-media.ts'
import { mediaKey } from './media-key.ts'
import { isDraft } from './queries.ts'
import { addDraft, removeDraft, type StoredFiles } from './store.ts'

const BUSY_RETRY_SECONDS = 5

/** Decodes and encodes a picture. Refuses wrong_type, too_many. */
export async function encodePicture(
  app: App,
  bytes: Uint8Array,
  options: EncodeOptions = {},
): Promise<ProcessedImage> {
  const picture = (await app.images.encode(bytes, options)) ?? refuse('wrong_type')
  return picture === 'busy' ? refuse('too_many', { retry_after: BUSY_RETRY_SECONDS }) : picture
}

/**
 * Stores the files of an upload. This happens before its row is written and outside the transaction: a row never names a
 * file that does not exist. Files that a crash leaves without a row are known by their draft.
 */
export async function storeFiles(
  app: App,
  {
    width,
    height,
    files,
  }: Pick<ProcessedImage, 'width' | 'height'> & {
    readonly files: ReadonlyMap<string, Uint8Array>
  },
  id: string = newUuid(),
): Promise<StoredFiles> {
  await app.transact((tx) => addDraft(tx, id))
  let bytes = 0
  for (const [size, file] of files) {
    await app.storage.put(mediaKey(id, size), file)
    bytes += file.length
  }
  return { id, width, height, bytes }
}

/** Deletes the files of an upload whose row was not written. A repeat, also by the sweep, does nothing. */
export async function deleteStoredFiles(app: App, id: string): Promise<void> {
  // Without its draft the row was written, whatever the caller was told.
  if (!(await isDraft(app.db, id))) return
  await deliverDeletion(app, { ids: [id] })
  await app.transact((tx) => removeDraft(tx, id))
}

/** The largest stored form of a picture. */
export function storedPicture({ storage }: App, id: string): Promise<Buffer | undefined> {
  return storage.get(mediaKey(id, 'full'))
}
