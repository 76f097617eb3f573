import { type Answer, limits } from '@duet/protocol'
import type { App } from '../../core/app.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { Viewer } from '../../core/viewer.ts'
import { countGirlsOnline } from '../presence/index.ts'
import { girlsPage } from './girls-page.ts'

/** The best girls who are online, and how many women are. */
export async function girlsOnline(
  app: App,
  viewer: Viewer,
  _query: object,
  context: RequestContext,
): Promise<Answer<'GET girls/online'>> {
  const first = { page: 1, 'per-page': limits.page_items, sort: 'best' as const }
  const { items } = await girlsPage(app, viewer, first, context)
  return { items, woman: await countGirlsOnline(app) }
}
