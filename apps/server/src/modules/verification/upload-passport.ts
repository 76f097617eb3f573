import type { Answer, Body } from '@duet/protocol'
import { DocumentSide } from '@duet/protocol/contracts/verification.ts'
import { refuse } from '../../lib/refusal.ts'
import type { App } from '../../core/app.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { UserId } from '../../core/ids.ts'
import type { Member } from '../../core/viewer.ts'
import { notifyUserInfo } from '../identity/index.ts'
import { setting } from '../settings/index.ts'
import { checkProcess, waitingCheck } from './check/check-process.ts'
import { lockUserChecks, nextCheckId } from './check/check-store.ts'
import { deleteFilesLater, storeDocuments } from './documents/store-documents.ts'
import { assertAdult, cleanPictures } from './documents/clean-pictures.ts'
import { maySendDocuments } from './get-verification.ts'
import { readChallenge, readStanding } from './queries.ts'
import { attachDocuments, deleteDocuments, useChallenge } from './store.ts'

/** The version of the consent text of the client; raise it when that text changes. */
export const CONSENT_VERSION = '2026-11'

const NEEDED = ['front', 'selfie'] as const

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
  const sides = getSides(upload, files ?? new Map())
  const pictures = await cleanPictures(app, { owner_id: viewer.id, address }, sides.files)
  const ids = await storeDocuments(app, viewer.id, pictures)
  try {
    return await openCheck(app, viewer.id, upload, { ids, kept: sides.kept })
  } catch (error) {
    await app.transact(async (tx) => deleteFilesLater(tx, await deleteDocuments(tx, ids)))
    throw error
  }
}

/** Before the pictures are decoded; the transaction that takes the challenge checks it again. */
async function assertChallenge(app: App, user_id: UserId, challenge_id: string): Promise<void> {
  const challenge = await readChallenge(app.db, user_id)
  const isValid =
    challenge?.challenge_id === challenge_id &&
    Temporal.Instant.compare(challenge.expires_at, app.clock.now()) > 0
  if (!isValid) refuse('not_found', { what: 'challenge' })
}

interface GivenSides {
  readonly files: ReadonlyMap<DocumentSide, Uint8Array>
  /** Pictures that were stored before, each by its side. */
  readonly kept: ReadonlyMap<DocumentSide, string>
}

/** A side is a file of the form or the id of a picture that was stored before. Front and selfie are needed. */
function getSides(upload: Upload, given: NonNullable<RequestContext['files']>): GivenSides {
  const files = new Map<DocumentSide, Uint8Array>()
  const kept = new Map<DocumentSide, string>()
  for (const side of DocumentSide.options) {
    const bytes = given.get(side)?.bytes
    const id = upload[`${side}_id`]
    if (bytes?.length) files.set(side, bytes)
    else if (id !== undefined) kept.set(side, id)
  }
  const missing = NEEDED.filter((side) => !files.has(side) && !kept.has(side))
  if (missing.length > 0)
    refuse('invalid', { fields: missing.map((path) => ({ path, message: 'A picture is needed' })) })
  return { files, kept }
}

/** Uses the challenge and opens the check with its documents in one transaction. */
function openCheck(
  app: App,
  user_id: UserId,
  { challenge_id, type, country }: Upload,
  { ids, kept }: { readonly ids: readonly string[]; readonly kept: GivenSides['kept'] },
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
    const attached = await attachDocuments(tx, { check_id, user_id }, [...ids, ...kept.values()])
    for (const [side, id] of kept)
      if (!attached.some((row) => row.document_id === id && row.side === side))
        refuse('not_found', { what: 'picture' })
    await notifyUserInfo(tx, user_id)
    return { state: 'checking' as const }
  })
}
