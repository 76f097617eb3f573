import { createHash } from 'node:crypto'
import type { Answer } from '@duet/protocol'
import { limits } from '@duet/protocol'
import type { App, Tx } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import { type RequestContext, uploadedFile } from '../../../core/request-context.ts'
import type { Guest, Member } from '../../../core/viewer.ts'
import { openBytes, sealBytes } from '../../../lib/cipher.ts'
import { keyFor } from '../../../lib/derived-key.ts'
import { newUuid } from '../../../lib/ids.ts'
import { refuse } from '../../../lib/refusal.ts'
import { encodePicture, storedPicture } from '../../media/index.ts'
import { liftHold, placeHold } from '../../privacy/index.ts'
import { readFrame } from '../frames/frame-files.ts'
import { framesOfCall, latestFrames } from '../frames/frame-store.ts'
import { type ComplaintRow, complaintById, readPictures } from './complaint-store.ts'
import {
  clearContent,
  countPictures,
  deleteDecidedEvidence,
  type EvidenceEntry,
  hasEvidence,
  insertEvidence,
  newestEvidence,
  unmovedContent,
  unmovedFiles,
} from './evidence-store.ts'
import { readCourse } from './course.ts'

/** Copies the pictures of a serious complaint that lie in the storage. */
export const SEAL_PICTURES = 'complaint_record'
export const MOVE_EVIDENCE = 'evidence_move'
export const DELETE_EVIDENCE = 'evidence_files'
const MESSAGES_MAX = 200
/** Of each: the sampled frames of the call, and the pictures of the accused. */
const PICTURES_MAX = 30
/** Of a case, with the pictures of its later signs. */
const CASE_PICTURES_MAX = 100
/** The outbox tries for a day; the job goes on. */
const UNMOVED_HOURS = 1
const MOVED_AT_ONCE = 500

function fileKey(file_id: string): string {
  return `evidence/${file_id}.bin`
}

/** A file cannot be opened as that of another complaint. */
function toPlace(file: { readonly file_id: string; readonly complaint_id: number }): string {
  return `evidence ${file.file_id} of complaint ${file.complaint_id}`
}

interface NewEvidence extends Pick<EvidenceEntry, 'complaint_id' | 'kind' | 'user_id'> {
  readonly source?: string
}

/**
 * Writes bytes encrypted, and the hash of the plain bytes, in this transaction: no other service is needed. The outbox moves
 * the bytes into the storage. Undefined: the complaint has such a file already.
 */
async function keepEvidence(
  tx: Tx,
  file: NewEvidence,
  plain: Uint8Array,
): Promise<string | undefined> {
  const file_id = newUuid()
  const key = keyFor(tx.app.config, 'evidence of complaints')
  const content = sealBytes(key, plain, toPlace({ file_id, complaint_id: file.complaint_id }))
  const sha256 = createHash('sha256').update(plain).digest('hex')
  const row = { source: '', ...file, file_id, sha256, bytes: plain.length, content }
  if (!(await insertEvidence(tx, row))) return undefined
  await tx.enqueue(MOVE_EVIDENCE, { file_id })
  return file_id
}

/** Work of the outbox: the bytes leave the database when the storage has them. */
export async function moveEvidence(
  app: App,
  { file_id }: { readonly file_id: string },
): Promise<void> {
  const content = await unmovedContent(app.db, file_id)
  if (!content) return
  await app.storage.put(fileKey(file_id), content)
  const stays = await app.transact((tx) => clearContent(tx, file_id))
  if (!stays) await app.storage.delete(fileKey(file_id))
}

/** Tries again to move files whose delivery has ended without success. */
export async function moveWaiting(app: App): Promise<void> {
  const before = app.clock.now().subtract({ hours: UNMOVED_HOURS })
  for (const file_id of await unmovedFiles(app.db, before, MOVED_AT_ONCE))
    await moveEvidence(app, { file_id })
}

/** The plain bytes; undefined if the file is gone or was changed. */
export async function readEvidence(
  app: App,
  file: { file_id: string; complaint_id: number; sha256: string },
): Promise<Buffer | undefined> {
  const sealed =
    (await unmovedContent(app.db, file.file_id)) ?? (await app.storage.get(fileKey(file.file_id)))
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
  const store = async (field: string, kind: 'complainer' | 'accused' | 'seen', user_id: UserId) => {
    const { bytes } = uploadedFile(context, field, limits.image_bytes)
    const { files, width, height } = await encodePicture(app, bytes, { owner_id: viewer.id })
    const file = { complaint_id, kind, user_id }
    const id = await app.transact((tx) => keepEvidence(tx, file, files.get('full')!))
    if (id === undefined) refuse('not_found')
    return { id, url: `/media/${id}/full`, width, height, status: 'ready' as const }
  }
  const hasSeen = isComplainer && context.files?.has('image_original')
  if (hasSeen && !context.files?.has('image')) return store('image_original', 'seen', accused_id)
  const own = await store('image', isComplainer ? 'complainer' : 'accused', viewer.id)
  if (hasSeen) await store('image_original', 'seen', accused_id)
  return own
}

/**
 * Orders copies of the pictures of a case, or of the one picture that came to it later. Until they are made, a hold keeps
 * the originals, whatever staff decide meanwhile.
 */
export async function orderCopies(
  tx: Tx,
  { complaint_id, accused_id: user_id }: Pick<ComplaintRow, 'complaint_id' | 'accused_id'>,
  media_id?: string,
): Promise<void> {
  const reason = `copies for complaint ${complaint_id}`
  const hold_id = await placeHold(tx, { user_id, reason, placed_by: 'complaints' })
  await tx.enqueue(SEAL_PICTURES, { complaint_id, hold_id, media_id })
}

/** Seals what was written and what happened, in the transaction of the complaint, and orders copies of the pictures. */
export async function sealRecord(tx: Tx, complaint: ComplaintRow): Promise<void> {
  const { complaint_id, accused_id } = complaint
  const course = await readCourse(tx, complaint, MESSAGES_MAX)
  const record = Buffer.from(JSON.stringify({ complaint, ...course }))
  await keepEvidence(tx, { complaint_id, kind: 'record', user_id: accused_id }, record)
  await orderCopies(tx, complaint)
}

/**
 * Work of the outbox: copies the sampled frames of the call and the pictures that the accused showed to the complainer; of a case that staff opened those of all calls and all pictures; with
 * `media_id` only this picture. Their originals may be deleted afterwards. A repeat keeps what it finds.
 */
export async function sealPictures(
  app: App,
  {
    complaint_id,
    hold_id,
    media_id,
  }: { readonly complaint_id: number; readonly hold_id?: number; readonly media_id?: string },
): Promise<void> {
  const complaint = await complaintById(app.db, complaint_id)
  if (!complaint) return
  if (media_id === undefined) await sealAll(app, complaint)
  else await sealPicture(app, complaint, media_id)
  // An order of a former version has no hold.
  if (hold_id !== undefined) await app.transact((tx) => liftHold(tx, hold_id))
}

async function sealAll(app: App, complaint: ComplaintRow): Promise<void> {
  const { complaint_id, session_id, accused_id, opened_by } = complaint
  const keep = async (file: NewEvidence, plain: Buffer | undefined) => {
    if (plain) await app.transact((tx) => keepEvidence(tx, file, plain))
  }
  const frames = session_id === null ? [] : await framesOfCall(app.db, session_id, PICTURES_MAX)
  const others = opened_by === null ? [] : await latestFrames(app.db, accused_id, PICTURES_MAX)
  for (const frame of [...frames, ...others]) {
    const { frame_id: source, girl_id: user_id } = frame
    await keep({ complaint_id, kind: 'frame', source, user_id }, await readFrame(app, frame))
  }
  for (const source of await readPictures(app.db, complaint, PICTURES_MAX)) {
    const file = { complaint_id, kind: 'picture', source, user_id: accused_id } as const
    await keep(file, await storedPicture(app, source))
  }
}

async function sealPicture(
  app: App,
  { complaint_id, accused_id: user_id }: ComplaintRow,
  source: string,
): Promise<void> {
  if ((await countPictures(app.db, complaint_id)) >= CASE_PICTURES_MAX) {
    app.log.warn({ complaint_id, media_id: source }, 'a case has too many pictures for another one')
    return
  }
  const plain = await storedPicture(app, source)
  const file = { complaint_id, kind: 'picture', source, user_id } as const
  if (plain) await app.transact((tx) => keepEvidence(tx, file, plain))
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

/** A file with a row stays, whatever ordered its deletion. */
export async function deleteEvidence(
  app: App,
  { file_id }: { readonly file_id: string },
): Promise<void> {
  if (!(await hasEvidence(app.db, file_id))) await app.storage.delete(fileKey(file_id))
}
