import { createHash } from 'node:crypto'
import type { App, AppContext, Tx } from '../../../core/app.ts'
import type { Db } from '../../../core/db.ts'
import type { UserId } from '../../../core/ids.ts'
import type { ExportFile } from '../../../core/personal-data.ts'
import { openBytes, sealBytes } from '../../../lib/cipher.ts'
import { keyFor } from '../../../lib/derived-key.ts'
import { EXPORT_PAGE_ROWS } from '../../../platform/personal-data/personal-data.ts'
import { framesShowing, type FrameRow } from './frame-store.ts'

export const DELETE_FRAMES = 'call_frames'
/** Few enough that one delivery of the outbox deletes them in time. */
const IDS_A_DELIVERY = 50

type FrameFile = Pick<FrameRow, 'frame_id' | 'session_id'>
type StoredFrame = FrameFile & Pick<FrameRow, 'sha256'>

function fileKey(frame_id: string): string {
  return `frames/${frame_id}.bin`
}

/** A frame cannot be opened as that of another call. */
function describePlace({ frame_id, session_id }: FrameFile): string {
  return `frame ${frame_id} of call ${session_id}`
}

export function hashFrame(plain: Uint8Array): string {
  return createHash('sha256').update(plain).digest('hex')
}

export async function storeFrameFile(app: App, file: FrameFile, plain: Uint8Array): Promise<void> {
  const sealed = sealBytes(keyFor(app.config, 'frames of calls'), plain, describePlace(file))
  await app.storage.put(fileKey(file.frame_id), sealed)
}

/** The plain picture; undefined if the file is gone or was changed. */
export async function readFrame(app: App, frame: StoredFrame): Promise<Buffer | undefined> {
  const sealed = await app.storage.get(fileKey(frame.frame_id))
  return sealed && openFrame(app, frame, sealed)
}

function openFrame(
  { config }: AppContext,
  frame: StoredFrame,
  sealed: Uint8Array,
): Buffer | undefined {
  const plain = openBytes(keyFor(config, 'frames of calls'), sealed, describePlace(frame))
  return plain && hashFrame(plain) === frame.sha256 ? plain : undefined
}

/** The pictures of a user that were taken in calls, for the copy of the user's own data. */
export async function* exportFrames(
  db: Db,
  user_id: UserId,
  context: AppContext,
): AsyncGenerator<ExportFile> {
  let after: string | undefined
  for (;;) {
    const page = await framesShowing(db, user_id, { after, limit: EXPORT_PAGE_ROWS })
    for (const frame of page)
      yield {
        path: `frames/${frame.session_id}-${frame.frame_id}.webp`,
        storage_key: fileKey(frame.frame_id),
        decrypt: (sealed) => openFrame(context, frame, sealed),
      }
    if (page.length < EXPORT_PAGE_ROWS) return
    after = page.at(-1)!.frame_id
  }
}

/** The files of rows that this transaction deletes. */
export async function deleteFrameFiles(tx: Tx, ids: readonly string[]): Promise<void> {
  for (let from = 0; from < ids.length; from += IDS_A_DELIVERY)
    await tx.enqueue(DELETE_FRAMES, { ids: ids.slice(from, from + IDS_A_DELIVERY) })
}

export async function deliverFrameDeletion(
  { storage }: App,
  { ids }: { readonly ids: readonly string[] },
): Promise<void> {
  await Promise.all(ids.map((id) => storage.delete(fileKey(id))))
}
