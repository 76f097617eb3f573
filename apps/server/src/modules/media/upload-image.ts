import type { Answer, Body, Query } from '@duet/protocol'
import { isRefusalName } from '@duet/protocol/kernel/refusals.ts'
import { refuse } from '../../lib/refusal.ts'
import type { App } from '../../core/app.ts'
import type { RequestContext, UploadedFile } from '../../core/request-context.ts'
import type { Guest, Member } from '../../core/viewer.ts'
import { writeGuestRow } from '../identity/index.ts'
import { acceptPicture, commitUpload } from './accept-picture.ts'
import { mediaUrl } from './media-url.ts'
import { addPicture } from './store.ts'
import { uploadRuleFor } from './upload-rules.ts'

/** The file of a multipart request. Refuses invalid, too_large. */
export function uploadedFile(
  { files }: RequestContext,
  field: string,
  bytesMax: number,
): UploadedFile {
  const file = files?.get(field)
  if (!file || file.bytes.length === 0)
    refuse('invalid', { fields: [{ path: field, message: 'A file is needed' }] })
  return file.bytes.length > bytesMax ? refuse('too_large') : file
}

/**
 * Stores a picture for one purpose. The module that uses pictures of the product learns of it by `picture_uploaded`.
 * Name and type of the file, and an original beside it, are ignored: decoding decides what it is.
 */
export async function uploadImage(
  app: App,
  viewer: Guest | Member,
  { product }: Query<'POST /upload/image/{product}'> & Body<'POST /upload/image/{product}'>,
  context: RequestContext,
): Promise<Answer<'POST /upload/image/{product}'>> {
  const rule = uploadRuleFor(product, viewer)
  if (typeof rule === 'string') {
    if (!isRefusalName(rule)) throw new Error(`Impossible: ${rule} is a refusal`)
    refuse(rule)
  }
  const { bytes } = uploadedFile(context, 'image', rule.bytes_max)
  const owner_id = viewer.id
  const subject = {
    owner_id,
    owner_role: viewer.kind === 'member' ? viewer.role : null,
    product: rule.product,
    adult: false,
  }
  const accepted = await acceptPicture(app, subject, bytes, { formats: rule.formats })
  const { picture, status } = accepted
  const { width, height } = picture
  return commitUpload(app, owner_id, accepted, async (tx) => {
    if (viewer.kind === 'guest') await writeGuestRow(tx, viewer, context)
    await addPicture(tx, { ...accepted, owner_id, product: rule.product, audience: rule.audience })
    await tx.publish('picture_uploaded', { media_id: picture.id, owner_id, product: rule.product })
    const row = await tx
      .selectFrom('media')
      .select(['id', 'blurred_id'])
      .where('id', '=', picture.id)
      .executeTakeFirstOrThrow()
    const url = mediaUrl(app, { id: owner_id, age_confirmed: true }, row, 'full')
    const answer = { id: picture.id, url, width, height, status }
    await context.storeAnswer?.(tx, answer)
    return answer
  })
}
