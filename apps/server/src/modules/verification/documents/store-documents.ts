import { randomBytes } from 'node:crypto'
import type { DocumentSide } from '@duet/protocol/contracts/verification.ts'
import type { App, Tx } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import { KEY_BYTES, openBytes, sealBytes } from '../../../lib/cipher.ts'
import { newUuid } from '../../../lib/ids.ts'
import type { DocumentRow } from '../queries.ts'
import { addDocuments, type StoredDocument, keepKeys } from '../store.ts'

/** A picture that was decoded, stripped and encoded again: never what the user sent. */
export interface CleanPicture {
  readonly side: DocumentSide
  readonly bytes: Buffer
}

/** The outbox kind that deletes files after the commit that destroyed their keys. */
export const DELETE_FILES = 'identity_files'

/** The key of a document's file in the storage integration. */
export function getFileKey({ document_id, side }: StoredDocument): string {
  return `${side === 'selfie' ? 'selfie' : 'passport'}/${document_id}.bin`
}

/** A file or key cannot be used as that of another document or user. */
export function placeOfDocument(document: {
  readonly document_id: string
  readonly user_id: UserId
}): string {
  return `identity document ${document.document_id} of ${document.user_id}`
}

/**
 * Stores encrypted pictures and returns their ids. The rows are written first. After a crash before the
 * request takes the rows, retention deletes the rows with their files.
 *
 * @param first is done before them in the transaction of the rows
 */
export async function storeDocuments(
  app: App,
  user_id: UserId,
  pictures: readonly CleanPicture[],
  first: (tx: Tx) => Promise<void> = async () => {},
): Promise<readonly string[]> {
  if (pictures.length === 0) return []
  const documents = pictures.map((picture) => ({
    ...picture,
    document_id: newUuid(),
    key: randomBytes(KEY_BYTES),
  }))
  await app.transact(async (tx) => {
    await keepKeys(tx)
    await first(tx)
    const rows = documents.map(({ document_id, side, key }) => ({
      document_id,
      side,
      wrapped: app.documentKeys.wrap(key, placeOfDocument({ document_id, user_id })),
    }))
    await addDocuments(tx, user_id, rows)
  })
  for (const document of documents) {
    const sealed = sealBytes(
      document.key,
      document.bytes,
      placeOfDocument({ ...document, user_id }),
    )
    await app.storage.put(getFileKey(document), sealed)
    document.key.fill(0)
  }
  return documents.map(({ document_id }) => document_id)
}

/** The picture of a document; undefined when its file or its key is gone. */
export async function readDocument(app: App, row: DocumentRow): Promise<Buffer | undefined> {
  const place = placeOfDocument(row)
  const sealed = await app.storage.get(getFileKey(row))
  const key = app.documentKeys.unwrap(row, place)
  return sealed && key && openBytes(key, sealed, place)
}

/** Deletes the files of deleted rows after the commit, at least once. */
export async function deleteFilesLater(
  tx: Tx,
  documents: readonly StoredDocument[],
): Promise<void> {
  for (const document of documents) await tx.enqueue(DELETE_FILES, { file: getFileKey(document) })
}

export function deleteFile(app: App, { file }: { file: string }): Promise<void> {
  return app.storage.delete(file)
}
