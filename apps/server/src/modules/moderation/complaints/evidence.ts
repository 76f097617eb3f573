import { createHash } from 'node:crypto'
import type { Answer } from '@duet/protocol'
import { limits } from '@duet/protocol'
import type { App, Tx } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import { type RequestContext, uploadedFile } from '../../../core/request-context.ts'
import type { Guest, Member } from '../../../core/viewer.ts'
import { plusMs } from '../../../lib/clock.ts'
import { openBytes, sealBytes } from '../../../lib/cipher.ts'
import { keyFor } from '../../../lib/derived-key.ts'
import { newUuid } from '../../../lib/ids.ts'
import { refuse } from '../../../lib/refusal.ts'
import { encodePicture } from '../../media/index.ts'
import {
  complaintById,
  deleteDecidedEvidence,
  deleteDrafts,
  insertDraft,
  insertEvidence,
  newestEvidence,
  readCourse,
} from './complaint-store.ts'

export const SEAL_RECORD = 'complaint_record'
export const DELETE_EVIDENCE = 'evidence_files'
const MESSAGES_MAX = 200
/** No file takes so long between its draft and its row. */
const DRAFT_MS = 3_600_000
const SWEEP_ROWS = 500

type EvidenceKind = 'complainer' | 'accused' | 'seen' | 'record'

function fileKey(file_id: string): string {
  return `evidence/${file_id}.bin`
}

/** A file cannot be opened as that of another complaint. */
function toPlace(file: { readonly file_id: string; readonly complaint_id: number }): string {
  return `evidence ${file.file_id} of complaint ${file.complaint_id}`
}

/** Stores bytes encrypted, and the hash of the plain bytes. False: the complaint has such a file already. */
async function storeEvidence(
  app: App,
  file: { complaint_id: number; kind: EvidenceKind; user_id: UserId },
  plain: Uint8Array,
): Promise<string | undefined> {
  const file_id = newUuid()
  const { complaint_id } = file
  const key = keyFor(app.config, 'evidence of complaints')
  await app.transact((tx) => insertDraft(tx, file_id))
  await app.storage.put(fileKey(file_id), sealBytes(key, plain, toPlace({ file_id, complaint_id })))
  const sha256 = createHash('sha256').update(plain).digest('hex')
  const row = { ...file, file_id, sha256, bytes: plain.length }
  if (await app.transact((tx) => insertEvidence(tx, row))) return file_id
  // Its draft stays: if this deletion does not happen, the sweep deletes the file.
  await app.storage.delete(fileKey(file_id))
  return undefined
}

/** Deletes files that a crash left without their row. A file whose row was written has no draft, and stays. */
export async function sweepEvidence(app: App): Promise<void> {
  const before = plusMs(app.clock.now(), -DRAFT_MS)
  for (let swept = SWEEP_ROWS; swept === SWEEP_ROWS;)
    swept = await app.transact(async (tx) => {
      const ids = await deleteDrafts(tx, before, SWEEP_ROWS)
      for (const file_id of ids) await tx.enqueue(DELETE_EVIDENCE, { file_id })
      return ids.length
    })
}

/** The plain bytes; undefined if the file is gone or was changed. */
export async function readEvidence(
  app: App,
  file: { file_id: string; complaint_id: number; sha256: string },
): Promise<Buffer | undefined> {
  const sealed = await app.storage.get(fileKey(file.file_id))
  const plain =
    sealed && openBytes(keyFor(app.config, 'evidence of complaints'), sealed, toPlace(file))
  const isWhole = plain && createHash('sha256').update(plain).digest('hex') === file.sha256
  return isWhole ? plain : undefined
}

/** For `duet doctor`. If a file is unreadable, SECRET_KEY has changed since, or the file is lost or damaged. */
export async function evidenceDiagnosis(
  app: App,
): Promise<{ readonly newest_evidence: 'none' | 'readable' | 'unreadable' }> {
  const file = await newestEvidence(app.db)
  if (!file) return { newest_evidence: 'none' }
  return { newest_evidence: (await readEvidence(app, file)) ? 'readable' : 'unreadable' }
}

/**
 * Stores the frame of a complaint, once: the own camera, and from the complainer also the picture of the accused as it
 * arrived (`image_original`). A complainer whose camera is off sends only the picture of the accused. Refuses not_found when
 * the complaint has it.
 */
export async function receiveEvidence(
  app: App,
  viewer: Guest | Member,
  complaint_id: number,
  context: RequestContext,
): Promise<Answer<'POST /upload/image/{product}'>> {
  const complaint = (await complaintById(app.db, complaint_id)) ?? refuse('not_found')
  const isComplainer = complaint.complainer_id === viewer.id
  const { accused_id } = complaint
  const store = async (field: string, kind: EvidenceKind, user_id: UserId) => {
    const { bytes } = uploadedFile(context, field, limits.image_bytes)
    const { files, width, height } = await encodePicture(app, bytes, { owner_id: viewer.id })
    const file = { complaint_id, kind, user_id }
    const id = (await storeEvidence(app, file, files.get('full')!)) ?? refuse('not_found')
    return { id, url: `/media/${id}/full`, width, height, status: 'ready' as const }
  }
  const hasSeen = isComplainer && context.files?.has('image_original')
  if (hasSeen && !context.files?.has('image')) return store('image_original', 'seen', accused_id)
  const own = await store('image', isComplainer ? 'complainer' : 'accused', viewer.id)
  if (hasSeen) await store('image_original', 'seen', accused_id)
  return own
}

/** Work of the outbox: seals what was written and what happened, as it was at the complaint. */
export async function sealRecord(
  app: App,
  { complaint_id }: { readonly complaint_id: number },
): Promise<void> {
  const complaint = await complaintById(app.db, complaint_id)
  if (!complaint) return
  const course = await readCourse(app.db, complaint, MESSAGES_MAX)
  await storeEvidence(
    app,
    { complaint_id, kind: 'record', user_id: complaint.accused_id },
    Buffer.from(JSON.stringify({ complaint, ...course })),
  )
}

/** Retention: deletes the unsealed files of complaints that were decided before this moment. */
export async function purgeEvidence(
  tx: Tx,
  before: Temporal.Instant,
  limit: number,
): Promise<number> {
  const ids = await deleteDecidedEvidence(tx, before, limit)
  for (const file_id of ids) await tx.enqueue(DELETE_EVIDENCE, { file_id })
  return ids.length
}

export function deleteEvidence(app: App, { file_id }: { readonly file_id: string }): Promise<void> {
  return app.storage.delete(fileKey(file_id))
}
