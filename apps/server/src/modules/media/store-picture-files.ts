import { newUuid } from '../../lib/ids.ts'
import { refuse } from '../../lib/refusal.ts'
import type { App } from '../../core/app.ts'
import { mediaKey } from './media-key.ts'

/** A picture whose files are stored; its row is still to be written. */
export interface StoredPicture {
  readonly id: string
  readonly width: number
  readonly height: number
  readonly sizes: readonly string[]
}

/**
 * Stores the files of a picture in every size. This happens before its row is written and outside the transaction:
 * encoding is slow, and a row never names a file that does not exist. Refuses wrong_type, too_many.
 */
export async function storePictureFiles(app: App, bytes: Uint8Array): Promise<StoredPicture> {
  const picture = (await app.images.encode(bytes)) ?? refuse('wrong_type')
  if (picture === 'busy') refuse('too_many', { retry_after: 5 })
  const id = newUuid()
  for (const [size, file] of picture.files) await app.storage.put(mediaKey(id, size), file)
  const { width, height } = picture
  return { id, width, height, sizes: [...picture.files.keys()] }
}

/** Deletes the files of a picture whose row was not written. */
export async function deletePictureFiles(app: App, { id, sizes }: StoredPicture): Promise<void> {
  for (const size of sizes) await app.storage.delete(mediaKey(id, size))
}
