import type { Answer } from '@duet/protocol'
import type { App } from '../../../core/app.ts'
import type { Member } from '../../../core/viewer.ts'
import { clearHistory } from '../store.ts'

/** Clears the viewer's own history. The calls stay for the other user, for the books and for complaints. */
export function clearOwnHistory(
  app: App,
  viewer: Member,
): Promise<Answer<'POST history_chats/clear'>> {
  return app.transact(async (tx) => {
    await clearHistory(tx, viewer.id, viewer.role === 'girl' ? 'girl' : 'guy')
    return {}
  })
}
