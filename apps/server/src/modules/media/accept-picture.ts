import { newUuid } from '../../lib/ids.ts'
import { refuse } from '../../lib/refusal.ts'
import type { App, Tx } from '../../core/app.ts'
import type { Db } from '../../core/db.ts'
import type { UserId } from '../../core/ids.ts'
import type { EncodeOptions } from '../../integrations/images/images.ts'
import { setting } from '../settings/index.ts'
import { checkPicture } from './checks/check-picture.ts'
import type { PictureSubject } from './checks/rules.ts'
import { readUploads } from './queries.ts'
import { lockUploads } from './store.ts'
import { deletePictureFiles, encodedPicture, storeFiles } from './store-picture-files.ts'
import type { StoredPicture } from './store.ts'

/** An upload that passed its checks: its files are stored, its row is to be written with `status`. */
export interface AcceptedPicture {
  readonly picture: StoredPicture
  readonly status: 'ready' | 'pending'
  readonly reason: string | null
}

/**
 * Everything between the bytes of a picture and its row: decoding, judging, storing. It runs outside of transactions.
 * Refuses wrong_type, too_many, too_large, nudity, image_removed.
 */
export async function acceptPicture(
  app: App,
  subject: PictureSubject,
  bytes: Uint8Array,
  options: EncodeOptions = {},
): Promise<AcceptedPicture> {
  // Decoding is expensive: a user without space is refused before it.
  await refuseWithoutSpace(app, app.db, subject.owner_id, 0)
  const { owner_id } = subject
  const encoded = await encodedPicture(app, bytes, { ...options, owner_id })
  const id = newUuid()
  const verdict = await checkPicture(app, subject, encoded, id)
  if (verdict.type === 'refused') refuse(verdict.refusal)
  return {
    picture: await storeFiles(app, encoded, id),
    status: verdict.type,
    reason: verdict.type === 'pending' ? verdict.reason : null,
  }
}

/**
 * Runs the transaction that writes the row of an accepted upload, and deletes its files if it fails. `work` runs after the
 * space of the user is checked and locked.
 */
export async function commitUpload<Result>(
  app: App,
  owner_id: UserId,
  { picture }: Pick<AcceptedPicture, 'picture'>,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  try {
    return await app.transact(async (tx) => {
      await lockUploads(tx, owner_id)
      await refuseWithoutSpace(app, tx, owner_id, picture.bytes)
      return work(tx)
    })
  } catch (error) {
    await deletePictureFiles(app, picture)
    throw error
  }
}

const MEGABYTE = 1024 * 1024

/** Refuses too_large when the user has no space for another upload of this size. */
export async function refuseWithoutSpace(
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
