import { refuse } from '../../lib/refusal.ts'
import type { App } from '../../core/app.ts'
import { notifyUserInfo } from '../identity/index.ts'
import { isMediaId } from './queries.ts'
import { type ReviewedMedia, setMediaStatus } from './store.ts'

/** Approves or removes a picture, whether it waits for review or is visible. Repeating it changes nothing. */
export async function reviewMedia(
  app: App,
  id: string,
  status: 'ready' | 'removed',
  reason: string | null,
): Promise<ReviewedMedia> {
  if (!isMediaId(id)) refuse('not_found')
  return app.transact(async (tx) => {
    const media = (await setMediaStatus(tx, id, status, reason)) ?? refuse('not_found')
    const { owner_id } = media
    await tx.publish('media_reviewed', { media_id: id, owner_id, status, reason })
    await tx.publish('member_updated', { user_id: owner_id })
    await notifyUserInfo(tx, owner_id)
    return media
  })
}
