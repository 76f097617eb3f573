import { limits } from '@duet/protocol'
import type { App } from '../../core/app.ts'
import { type RequestContext, uploadedFile } from '../../core/request-context.ts'
import type { Viewer } from '../../core/viewer.ts'
import type { PictureHashes } from '../../integrations/images/picture-hash.ts'
import { encodePicture, findCopies, hashesOfUpload } from '../media/index.ts'
import { hideableUploads } from './picture-queries.ts'
import { mayHideNamed } from './report-limits.ts'

const COPIES_COUNTED = 1000

export interface FoundPictures {
  /** Too many uploads were named that day. */
  readonly names_wait: boolean
  /** Too many users have the picture, or too many were hidden that day. */
  readonly copies_wait: boolean
  readonly hashes: readonly PictureHashes[]
}

interface Sent {
  readonly viewer: Viewer
  readonly context: RequestContext
  /** The form may have a picture. */
  readonly has_picture: boolean
}

/**
 * The picture of a report and the uploads that it names, and whether they may be hidden at once. Of copies each owner counts
 * like an upload that is named: with a picture of others a form could otherwise take away any number of them.
 */
export async function findPictures(
  app: App,
  named: readonly string[],
  sent: Sent,
): Promise<FoundPictures> {
  const own = await hideableUploads(app.db, named)
  const names_wait = !(await mayHideNamed(app, own.length, sent))
  const hashes = await readHashes(app, names_wait ? [] : named, sent)
  const copies_wait = !(await mayHideNamed(app, await countOwners(app, hashes, named), sent))
  return { names_wait, copies_wait, hashes }
}

/** How many users lose a picture by these hashes, without the uploads that are named. */
async function countOwners(
  app: App,
  hashes: readonly PictureHashes[],
  named: readonly string[],
): Promise<number> {
  if (hashes.length === 0) return 0
  const page = { limit: COPIES_COUNTED, after: null }
  const copies = await findCopies(app.db, { hashes, ids: [] }, page)
  const ids = copies.map(({ media_id }) => media_id).filter((id) => !named.includes(id))
  return new Set((await hideableUploads(app.db, ids)).map(({ owner_id }) => owner_id)).size
}

/** Of the picture that came with the form, and of uploads that it names. */
async function readHashes(
  app: App,
  named: readonly string[],
  { context, has_picture }: Sent,
): Promise<readonly PictureHashes[]> {
  const found: (PictureHashes | undefined)[] = []
  if (has_picture && context.files?.get('image')) {
    const { bytes } = uploadedFile(context, 'image', limits.image_bytes)
    found.push((await encodePicture(app, bytes)).hashes)
  }
  for (const id of named) found.push(await hashesOfUpload(app, id))
  return found.filter((hashes) => hashes !== undefined)
}
