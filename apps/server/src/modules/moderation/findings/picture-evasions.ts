import type { RawBuilder } from 'kysely'
import type { App } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import { type HashedUpload, hashedUploads, ownersOfCopies } from '../../media/index.ts'
import { type EvasionPair, readBanned, toFinding } from './evasion-pairs.ts'
import { addFindings } from './finding-store.ts'

const UPLOADS_AT_ONCE = 200
/** A picture that more accounts have is a common picture, and says nothing. */
export const ACCOUNTS_OF_PICTURE_MAX = 20

/**
 * Compares the uploads since then, and all uploads of those who were banned since then, with all stored pictures, also
 * mirrored. Every upload is compared: each costs one search in the index of hashes, and a transaction has one part of them.
 */
export async function findPictureEvasions(
  app: App,
  changed: { readonly since: Temporal.Instant; readonly owners: RawBuilder<unknown> },
): Promise<void> {
  let after: string | null = null
  for (;;) {
    const uploads: readonly HashedUpload[] = await hashedUploads(app.db, changed, {
      limit: UPLOADS_AT_ONCE,
      after,
    })
    await addPairs(app, uploads)
    const last = uploads.at(-1)
    if (!last || uploads.length < UPLOADS_AT_ONCE) return
    after = last.media_id
  }
}

async function addPairs(app: App, uploads: readonly HashedUpload[]): Promise<void> {
  const pairs: [UserId, UserId][] = []
  for (const upload of uploads) {
    const owners = await ownersOfCopies(app.db, upload, ACCOUNTS_OF_PICTURE_MAX + 1)
    if (owners.length > ACCOUNTS_OF_PICTURE_MAX) continue
    for (const other of owners) pairs.push([upload.owner_id, other], [other, upload.owner_id])
  }
  const banned = await readBanned(app.db, pairs.flat())
  const returned = pairs
    .filter(([user_id, other_id]) => banned.has(other_id) && !banned.has(user_id))
    .map(([user_id, other_id]): EvasionPair => ({ kind: 'banned_picture', user_id, other_id }))
  await app.transact((tx) => addFindings(tx, returned.map(toFinding)))
}
