import { limits, type Answer, type Body } from '@duet/protocol'
import type { App } from '../../../core/app.ts'
import type { RequestContext } from '../../../core/request-context.ts'
import type { Viewer } from '../../../core/viewer.ts'
import { partnerIn } from '../../calls/index.ts'
import { setting } from '../../settings/index.ts'
import { cutFacts, cutText } from '../rules/facts.ts'
import { insertSession } from '../store.ts'
import { refuseSession, requirePeer, takeReport } from './peer.ts'

/** Begins the record of a side while its call runs. A page that was loaded again continues the record. */
export async function openSession(
  app: App,
  _viewer: Viewer,
  input: Body<'POST /quality/v1/session'>,
  context: RequestContext,
): Promise<Answer<'POST /quality/v1/session'>> {
  const peer = requirePeer(app, input, context)
  const { session_id, user_id, now } = peer
  if ((await partnerIn(app.db, session_id, user_id, now)) === undefined) refuseSession()
  const is_watched = setting(app, 'quality_watch_ids').includes(String(user_id))
  const isNew = await app.transact((tx) =>
    insertSession(tx, {
      session_id,
      user_id,
      is_watched,
      app_version: cutText(input.appVersion),
      meta: cutFacts(input.meta ?? {}, limits.quality_event_bytes),
    }),
  )
  await takeReport(app.db, peer, {
    events: [{ at: peer.at, kind: 'device', name: isNew ? 'began' : 'rejoined', details: {} }],
  })
  const stats = is_watched ? { stats_ms: limits.quality_watched_stats_ms } : {}
  return { peer_id: String(user_id), ...stats }
}
