import { encodePicture } from '../../gateways/picture/picture.ts'
import { newUuid } from '../../lib/ids.ts'
import { refuse } from '../../lib/refusal.ts'
import type { Tx, UserId } from '../../context.ts'

export interface NewPicture {
  readonly owner_id: UserId
  readonly product: 'avatar' | 'gallery'
  readonly bytes: Uint8Array
  readonly status: 'ready' | 'pending'
}

/** Keeps a picture in every size and answers its id. The files come first: a row never names a file that is not there. */
export async function addPicture(tx: Tx, { owner_id, product, bytes, status }: NewPicture): Promise<string> {
  const picture = (await encodePicture(bytes)) ?? refuse('wrong_type')
  const id = newUuid()
  for (const [size, file] of picture.files) await tx.app.storage.put(keyOf(id, size), file)
  const { width, height } = picture
  await tx
    .insertInto('media')
    .values({ id, owner_id, product, kind: 'photo', width, height, status, created_at: tx.now })
    .execute()
  return id
}

export function keyOf(id: string, size: string): string {
  return `media/${id}/${size}.webp`
}
