import type { Answer, Body } from '@duet/protocol'
import type { App } from '../../core/app.ts'
import type { Member } from '../../core/viewer.ts'
import { markRead } from './store.ts'

/** Marks lines of the bell as read; the viewer's other pages learn it. */
export async function readNotices(
  app: App,
  viewer: Member,
  { ids }: Body<'POST notices/read'>,
): Promise<Answer<'POST notices/read'>> {
  await app.transact(async (tx) => {
    if ((await markRead(tx, viewer.id, ids)) > 0)
      await tx.notify(viewer.id, 'notices_read', { ids: ids ?? null })
  })
  return {}
}
