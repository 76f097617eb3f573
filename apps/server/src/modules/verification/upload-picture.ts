import type { Answer, Body } from '@duet/protocol'
import type { App } from '../../core/app.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { Member } from '../../core/viewer.ts'
import { refuse } from '../../lib/refusal.ts'
import { setting } from '../settings/index.ts'
import { assertAdult, cleanPictures } from './documents/clean-pictures.ts'
import { deleteFilesLater, storeDocuments } from './documents/store-documents.ts'
import { maySendDocuments } from './get-verification.ts'
import { readStanding } from './queries.ts'
import { deleteUnusedSide } from './store.ts'

/**
 * A request whose answer was lost may store its picture after its repeat did. The picture of the repeat has to stay, and
 * its file may not be stored yet.
 */
const REPEATS_MINUTES = 10

/** Stores one picture for a later request. It replaces an older unused picture of its side. */
export async function uploadPicture(
  app: App,
  { id }: Member,
  { side }: Body<'POST upload_passport/picture'>,
  { files, address }: RequestContext,
): Promise<Answer<'POST upload_passport/picture'>> {
  if (!setting(app, 'kyc_documents')) refuse('method_unavailable')
  await assertAdult(app, id)
  const standing = await readStanding(app.db, id)
  if (!maySendDocuments(app, standing)) return { state: standing.state }
  const file = files?.get('picture')?.bytes
  if (!file?.length)
    return refuse('invalid', { fields: [{ path: 'picture', message: 'A picture is needed' }] })
  const pictures = await cleanPictures(app, { owner_id: id, address }, new Map([[side, file]]))
  const [document_id] = await storeDocuments(app, id, pictures, async (tx) => {
    const before = tx.now.subtract({ minutes: REPEATS_MINUTES })
    await deleteFilesLater(tx, await deleteUnusedSide(tx, id, side, before))
  })
  return { state: standing.state, document_id }
}
