import type { Answer, Body } from '@duet/protocol'
import type { App } from '../../../core/app.ts'
import type { RequestContext } from '../../../core/request-context.ts'
import type { Viewer } from '../../../core/viewer.ts'
import { addProfileView } from '../store.ts'
import { visibleGirl } from './girl-info.ts'

/** Counts a member's view of a girl's page once a day. A visitor leaves no row. Refuses not_found. */
export async function showGirl(
  app: App,
  viewer: Viewer,
  { user_id }: Body<'POST stat/show_girl'>,
  context: RequestContext,
): Promise<Answer<'POST stat/show_girl'>> {
  await visibleGirl(app, viewer, user_id, context)
  if (viewer.kind === 'member' && viewer.id !== user_id)
    await app.transact((tx) => addProfileView(tx, user_id, viewer.id))
  return {}
}
