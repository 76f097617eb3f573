import type { Ack } from '@duet/protocol'
import type { App } from '../../core/app.ts'
import type { Guest, Member } from '../../core/viewer.ts'
import { endSearch } from './search/end-search.ts'
import { isInCall } from './in-call.ts'
import { endPreview, previewOf } from './preview.ts'
import { inTurn, searchOf } from './search-sessions.ts'

/** Leaves the search: after the answer neither offer nor call comes from it. From a girl in a call it is her break. */
export function stopSearch(app: App, viewer: Guest | Member): Promise<Ack<'OUT_FROM_SEARCH'>> {
  return inTurn(app, viewer.id, async () => {
    const preview = previewOf(app, viewer.id)
    if (preview) endPreview(app, preview, 'cancelled')
    const search = searchOf(app, viewer.id)
    if (search) await endSearch(app, search, 'stopped')
    if (viewer.kind === 'member' && viewer.role === 'girl' && isInCall(app, viewer.id)) {
      await app.transact((tx) => tx.publish('break_requested', { user_id: viewer.id, on: true }))
    }
    return {}
  })
}
