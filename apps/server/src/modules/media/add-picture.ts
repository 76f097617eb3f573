import { newUuid } from '../../lib/ids.ts'
import { refuse } from '../../lib/refusal.ts'
import type { App } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { Tx } from '../../core/tx.ts'
import { mediaKey } from './media-key.ts'

export interface NewPicture {
  readonly owner_id: UserId
  readonly product: 'avatar' | 'gallery'
  readonly picture: KeptPicture
  readonly status: 'ready' | 'pending'
}

/** A picture whose files are kept; its row is still to be written. */
export interface KeptPicture {
  readonly id: string
  readonly width: number
  readonly height: number
}

/**
 * Keeps the files of a picture in every size. They come before their row and outside of its transaction: encoding is slow,
 * and a row never names a file that is not there.
 */
export async function keepFiles(app: App, bytes: Uint8Array): Promise<KeptPicture> {
  const picture = (await app.images.encode(bytes)) ?? refuse('wrong_type')
  if (picture === 'busy') refuse('too_many', { retry_after: 5 })
  const id = newUuid()
  for (const [size, file] of picture.files) await app.storage.put(mediaKey(id, size), file)
  const { width, height } = picture
  return { id, width, height }
}

/** Puts a kept picture up and answers its id. */
export async function addPicture(
  tx: Tx,
  { owner_id, product, picture, status }: NewPicture,
): Promise<string> {
  const { id, width, height } = picture
  await tx
    .insertInto('media')
    .values({ id, owner_id, product, kind: 'photo', width, height, status, created_at: tx.now })
    .execute()
  return id
}
