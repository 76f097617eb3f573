import type { Answer, Body } from '@duet/protocol'
import { limits } from '@duet/protocol/kernel/limits.ts'
import { toNetwork, findSite } from '../../platform/http/client-address.ts'
import { productDay } from '../../lib/clock.ts'
import { refuse } from '../../lib/refusal.ts'
import type { App } from '../../core/app.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { UserId } from '../../core/ids.ts'
import type { Member } from '../../core/viewer.ts'
import { ageOn, notifyUserInfo, userById } from '../identity/index.ts'
import { setting } from '../settings/index.ts'
import { checkProcess, waitingCheck } from './check/check-process.ts'
import { lockUserChecks, nextCheckId } from './check/check-store.ts'
import {
  type CleanPicture,
  deleteFilesLater,
  type DocumentSide,
  storeDocuments,
} from './documents/store-documents.ts'
import { maySendDocuments } from './get-verification.ts'
import { readChallenge, readStanding } from './queries.ts'
import { attachDocuments, deleteDocuments, useChallenge } from './store.ts'

/** The version of the consent text of the client; raise it when that text changes. */
export const CONSENT_VERSION = '2026-11'

type Upload = Body<'POST upload_passport'>

/**
 * Takes documents and a selfie for a check. A user has one open request. A repeat, even at the same moment,
 * changes nothing and gets the same answer. Refuses not_found for a used or expired challenge.
 */
export async function uploadPassport(
  app: App,
  viewer: Member,
  upload: Upload,
  { files, address }: RequestContext,
): Promise<Answer<'POST upload_passport'>> {
  if (!setting(app, 'kyc_documents')) refuse('method_unavailable')
  await assertAdult(app, viewer.id)
  const standing = await readStanding(app.db, viewer.id)
  if (!maySendDocuments(app, standing)) return { state: standing.state }
  await assertChallenge(app, viewer.id, upload.challenge_id)
  const pictures = await cleanPictures(app, getSender(viewer.id, address), files ?? new Map())
  const ids = await storeDocuments(app, viewer.id, pictures)
  try {
    return await openCheck(app, viewer.id, upload, ids)
  } catch (error) {
    await app.transact(async (tx) => deleteFilesLater(tx, await deleteDocuments(tx, ids)))
    throw error
  }
}

/** A document proves an age; an account without one of 18 or more has nothing to prove. */
async function assertAdult(app: App, user_id: UserId): Promise<void> {
  const birthday = (await userById(app.db, user_id))?.birthday
  if (!birthday || ageOn(birthday, productDay(app.clock.now())) < limits.age_years)
    refuse('birthday_invalid')
}

/** Before the pictures are decoded; the transaction that takes the challenge checks it again. */
async function assertChallenge(app: App, user_id: UserId, challenge_id: string): Promise<void> {
  const challenge = await readChallenge(app.db, user_id)
  const isValid =
    challenge?.challenge_id === challenge_id &&
    Temporal.Instant.compare(challenge.expires_at, app.clock.now()) > 0
  if (!isValid) refuse('not_found', { what: 'challenge' })
}

type PictureSender = Parameters<App['images']['encodeDocument']>[1]

/** The addresses that a customer may have are one network. */
function getSender(owner_id: UserId, address: string): PictureSender {
  return { owner_id, network: findSite(address) ?? toNetwork(address) }
}

const SIDES: readonly DocumentSide[] = ['front', 'back', 'selfie']

async function cleanPictures(
  app: App,
  sender: PictureSender,
  files: NonNullable<RequestContext['files']>,
): Promise<readonly CleanPicture[]> {
  const missing = (['front', 'selfie'] as const).filter((side) => !files.get(side)?.bytes.length)
  if (missing.length > 0)
    refuse('invalid', { fields: missing.map((path) => ({ path, message: 'A picture is needed' })) })
  const pictures: CleanPicture[] = []
  for (const side of SIDES) {
    const file = files.get(side)
    if (!file || file.bytes.length === 0) continue
    if (file.bytes.length > limits.passport_bytes) refuse('too_large', { field: side })
    const bytes = await app.images.encodeDocument(file.bytes, sender)
    if (bytes === 'busy') refuse('too_many', { retry_after: 5 })
    if (bytes === undefined) refuse('wrong_type', { field: side })
    pictures.push({ side, bytes })
  }
  return pictures
}

/** Uses the challenge and opens the check with its documents in one transaction. */
function openCheck(
  app: App,
  user_id: UserId,
  { challenge_id, type, country }: Upload,
  ids: readonly string[],
): Promise<Answer<'POST upload_passport'>> {
  return app.transact(async (tx) => {
    await lockUserChecks(tx, user_id)
    const standing = await readStanding(tx, user_id)
    if (!maySendDocuments(app, standing)) {
      // Another request of the user was faster.
      await deleteFilesLater(tx, await deleteDocuments(tx, ids))
      return { state: standing.state }
    }
    const challenge = await readChallenge(tx, user_id)
    if (!challenge || !(await useChallenge(tx, user_id, challenge_id)))
      refuse('not_found', { what: 'challenge' })
    const check_id = await nextCheckId(tx)
    const request = {
      challenge_id,
      gesture: challenge.gesture,
      document_type: type,
      document_country: country,
      consent_version: CONSENT_VERSION,
      consent_at: tx.now,
    }
    const state = waitingCheck(check_id, user_id, { provider: 'staff', request }, tx.now)
    if (!(await checkProcess(app).openIn(tx, { state, commands: [] })))
      refuse('not_found', { what: 'challenge' })
    await attachDocuments(tx, check_id, ids)
    await notifyUserInfo(tx, user_id)
    return { state: 'checking' as const }
  })
}
