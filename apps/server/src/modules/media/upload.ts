import { limits } from '@duet/protocol'
import { newUuid } from '../../lib/ids.ts'
import { refuse } from '../../lib/refusal.ts'
import type { App, Tx } from '../../core/app.ts'
import type { Db } from '../../core/db.ts'
import type { UserId } from '../../core/ids.ts'
import type { Member } from '../../core/viewer.ts'
import type { EncodeOptions, ProcessedImage } from '../../integrations/images/images.ts'
import { setting } from '../settings/index.ts'
import { checkPicture } from './checks/check-picture.ts'
import { UPLOADED_VIDEO } from './media-key.ts'
import { readUploads, readWaitingVideos } from './queries.ts'
import type { Audience, StoredProduct } from './rules.ts'
import {
  addUpload,
  lockUploads,
  type NewRow,
  type StoredFiles,
  type StoredUpload,
} from './store.ts'
import { deleteStoredFiles, encodePicture, storeFiles } from './store-files.ts'
import { convertSoon } from './videos/convert-videos.ts'

const MEGABYTE = 1024 * 1024
const PROBE_RETRY_SECONDS = 10
/** A conversion may take minutes of the processor. */
const WAITING_MAX = 3
const WAITING_RETRY_SECONDS = 60

export interface NewUpload extends Pick<EncodeOptions, 'formats' | 'crop'> {
  readonly product: StoredProduct
  readonly bytes: Buffer
  readonly audience: Audience
  /** A video is accepted too. */
  readonly accepts_video?: boolean
}

/**
 * Checks a picture or a video, stores its files and then its row. `work` runs in the transaction of the row. Everything
 * before the transaction is slow: decoding, judging, storing. Refuses wrong_type, too_many, too_large, nudity, image_removed;
 * for a video also method_unavailable and too_large (`seconds_max`).
 */
export async function upload<Result>(
  app: App,
  owner: Member,
  added: NewUpload,
  work: (tx: Tx, uploaded: StoredUpload) => Promise<Result>,
): Promise<Result> {
  const { product, bytes, audience, accepts_video = false } = added
  const kind = accepts_video && app.videos.isVideo(bytes) ? 'video' : 'photo'
  const accepted = await (kind === 'video'
    ? acceptVideo(app, owner.id, bytes)
    : acceptPicture(app, owner, added))
  return commit(app, accepted.files, async (tx) => {
    await lockUploads(tx, owner.id)
    await refuseWithoutSpace(app, tx, owner.id, accepted.files.bytes)
    const row = await addUpload(tx, { ...accepted, owner_id: owner.id, product, audience, kind })
    if (kind === 'video') tx.afterCommit(() => convertSoon(app))
    return work(tx, row)
  })
}

/**
 * Stores a picture of the operator, which `encodePicture` has encoded. It needs no check. `work` adds the row with `add`
 * once the owner exists, and `add` returns its id.
 */
export async function uploadEncoded<Result>(
  app: App,
  encoded: ProcessedImage,
  work: (
    tx: Tx,
    add: (owner_id: UserId, product: StoredProduct) => Promise<string>,
  ) => Promise<Result>,
): Promise<Result> {
  const files = {
    ...(await storeFiles(app, encoded)),
    hash: encoded.hashes?.hash ?? null,
  }
  return commit(app, files, (tx) =>
    work(tx, async (owner_id, product) => {
      const kind = 'photo'
      const row = { files, owner_id, product, kind, status: 'ready', audience: 'everyone' } as const
      return (await addUpload(tx, row)).id
    }),
  )
}

/** Runs the transaction that writes the row of stored files, and deletes the files if it fails. */
async function commit<Result>(
  app: App,
  { id }: NewRow['files'],
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  try {
    return await app.transact(work)
  } catch (error) {
    await deleteStoredFiles(app, id)
    throw error
  }
}

type Accepted = Pick<NewRow, 'files' | 'status' | 'reason'>

async function acceptPicture(
  app: App,
  { id: owner_id, role: owner_role }: Member,
  { product, bytes, audience, formats, crop }: NewUpload,
): Promise<Accepted> {
  if (bytes.length > limits.image_bytes) refuse('too_large')
  // Decoding is expensive: a user without space is refused before it.
  await refuseWithoutSpace(app, app.db, owner_id, 0)
  const encoded = await encodePicture(app, bytes, { formats, crop, owner_id })
  const id = newUuid()
  const subject = { owner_id, owner_role, product, adult: audience === 'adult' }
  const verdict = await checkPicture(app, subject, encoded, id)
  if (verdict.type === 'refused') refuse(verdict.refusal)
  const files = await (product === 'avatar'
    ? storeAvatarFiles(app, encoded, id)
    : storeFiles(app, encoded, id))
  return {
    files: { ...files, hash: encoded.hashes?.hash ?? null },
    status: verdict.type,
    reason: verdict.type === 'pending' ? verdict.reason : null,
  }
}

/** @throws Refusal `avatar_unsaved` if the files cannot be stored */
async function storeAvatarFiles(
  app: App,
  encoded: ProcessedImage,
  id: string,
): Promise<StoredFiles> {
  try {
    return await storeFiles(app, encoded, id)
  } catch (error) {
    app.log.error({ err: error, media_id: id }, 'the files of an avatar could not be stored')
    return refuse('avatar_unsaved')
  }
}

/** The video is stored as it came. It is converted later and has no address until then. */
async function acceptVideo(app: App, owner_id: UserId, bytes: Buffer): Promise<Accepted> {
  if (!app.videos.available) refuse('method_unavailable')
  if (bytes.length > limits.video_bytes) refuse('too_large')
  await refuseWithoutSpace(app, app.db, owner_id, bytes.length)
  if ((await readWaitingVideos(app.db, owner_id)) >= WAITING_MAX)
    refuse('too_many', { retry_after: WAITING_RETRY_SECONDS })
  const probed = (await app.videos.probe(bytes, owner_id)) ?? refuse('wrong_type')
  if (probed === 'busy') refuse('too_many', { retry_after: PROBE_RETRY_SECONDS })
  const { width, height, seconds = 0 } = probed
  // Recorders count the last frame differently.
  const { seconds_max } = app.videos
  if (seconds >= seconds_max + 1) refuse('too_large', { seconds_max })
  const files = new Map([[UPLOADED_VIDEO, bytes]])
  return { files: await storeFiles(app, { width, height, files }), status: 'processing' }
}

/** Refuses too_large when the user has no space for another upload of this size. */
async function refuseWithoutSpace(
  app: App,
  db: Db,
  owner_id: UserId,
  addedBytes: number,
): Promise<void> {
  const { count, bytes } = await readUploads(db, owner_id, app.clock.now())
  if (count >= setting(app, 'uploads_max')) refuse('too_large', { limit: 'count' })
  if (bytes + addedBytes > setting(app, 'upload_megabytes_max') * MEGABYTE)
    refuse('too_large', { limit: 'bytes' })
}
