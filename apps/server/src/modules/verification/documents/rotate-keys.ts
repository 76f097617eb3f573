import type { App } from '../../../core/app.ts'
import { CommandRefused } from '../../../platform/operator/commands.ts'
import { lockKeys, lockOtherKeys, rewrapKeys } from '../store.ts'
import { placeOfDocument } from './store-documents.ts'

const BATCH_DOCUMENTS = 500

export interface KeyRotation {
  readonly key_id: string
  readonly rewrapped: number
  /** False: the operator removes the former keys from the environment. */
  readonly former_keys_removed: boolean
}

/**
 * Makes a new key the current key and wraps the key of every document by it. Files do not change, and
 * documents can be sent and read meanwhile. After a crash, another call continues the work.
 */
export async function rotateKeys(app: App): Promise<KeyRotation> {
  const { documentKeys } = app
  documentKeys.rotate()
  const key_id = documentKeys.currentId()
  let rewrapped = 0
  for (;;) {
    const count = await rewrapBatch(app, key_id)
    rewrapped += count
    if (count < BATCH_DOCUMENTS) break
  }
  const isFormerRemoved = await app.transact(async (tx) => {
    // No upload is between the wrapping of a key and its commit.
    await lockKeys(tx)
    const left = await lockOtherKeys(tx, key_id, 1)
    return left.length === 0 && documentKeys.dropFormer()
  })
  return { key_id, rewrapped, former_keys_removed: isFormerRemoved }
}

function rewrapBatch(app: App, key_id: string): Promise<number> {
  return app.transact(async (tx) => {
    const batch = await lockOtherKeys(tx, key_id, BATCH_DOCUMENTS)
    if (batch.length === 0) return 0
    const rewrapped = batch.map((stored) => {
      const place = placeOfDocument(stored)
      const key = app.documentKeys.unwrap(stored, place)
      if (!key)
        throw new CommandRefused(
          `The key ${stored.key_id} that wraps document ${stored.document_id} is missing: put it back, then rotate again.`,
        )
      return { ...stored, ...app.documentKeys.wrap(key, place) }
    })
    await rewrapKeys(tx, rewrapped)
    return batch.length
  })
}
