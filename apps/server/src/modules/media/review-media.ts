import { refuse } from '../../lib/refusal.ts'
import type { App, Tx } from '../../core/app.ts'
import { notifyUserInfo } from '../identity/index.ts'
import { addNotice } from '../notices/index.ts'
import { hashOfUpload } from './checks/known-pictures.ts'
import { isRefusedFromAll } from './checks/rules.ts'
import { addKnownPicture, removeKnownPicture } from './checks/store.ts'
import { isMediaId } from './queries.ts'
import { lockMedia, type ReviewedMedia, setMediaStatus } from './store.ts'

/** Approves or removes a picture, whether it waits for review or is visible. Repeating it changes nothing. */
export async function reviewMedia(
  app: App,
  id: string,
  status: 'ready' | 'removed',
  reason: string | null,
): Promise<ReviewedMedia> {
  if (!isMediaId(id)) refuse('not_found')
  // Reading a picture again takes long: it happens before the transaction.
  const hash = status === 'removed' ? await hashOfUpload(app, id) : undefined
  return app.transact(async (tx) => {
    const before = await lockMedia(tx, id)
    const media = (await setMediaStatus(tx, id, status, reason)) ?? refuse('not_found')
    const { owner_id } = media
    await followVerdict(tx, media, hash)
    if (before?.status !== status || before.reason !== reason)
      await addNotice(tx, {
        user_id: owner_id,
        kind: 'photo',
        facts: { verdict: reason ?? status },
      })
    await tx.publish('media_reviewed', { media_id: id, owner_id, status, reason })
    await tx.publish('member_updated', { user_id: owner_id })
    await notifyUserInfo(tx, owner_id)
    return media
  })
}

/** A removed picture is refused when it is uploaded again, until staff change their mind. */
async function followVerdict(
  tx: Tx,
  { id, owner_id, status, reason }: ReviewedMedia,
  hash: string | undefined,
): Promise<void> {
  if (status === 'ready') return removeKnownPicture(tx, id)
  if (hash === undefined || reason === null) return
  const refusedFrom = isRefusedFromAll(reason) ? null : owner_id
  await addKnownPicture(tx, { hash, reason, media_id: id, owner_id: refusedFrom })
}
