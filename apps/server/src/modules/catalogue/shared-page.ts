import type { Answer } from '@duet/protocol'
import type { App } from '../../core/app.ts'
import { perApp } from '../../core/app-state.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { Viewer } from '../../core/viewer.ts'
import { setNewest } from '../../lib/bounded-map.ts'
import { msBetween } from '../../lib/clock.ts'
import { type GirlList, listKey } from './girl-list.ts'
import { readGirlsByIds } from './queries.ts'
import { visibleAmong } from './visible-girls.ts'

type Page = Answer<'GET girls'>

const KEPT_MS = 30_000
/** The lists without a name, each in the usual size. */
const PAGES_MAX = 500

const sharedPages = perApp(
  'catalogue: shared pages',
  'first pages of the last half minute, made again from rows',
  () => new Map<string, { readonly at: Temporal.Instant; readonly page: Promise<Page> }>(),
)

/**
 * The first page as a reader without an account has it, at most half a minute old. Readers at the same moment share its
 * making. For each reader it is decided again which girls are hidden (CT1).
 */
export async function readSharedPage(
  app: App,
  viewer: Viewer,
  context: Pick<RequestContext, 'country'>,
  list: GirlList,
  read: () => Promise<Page>,
): Promise<Page> {
  const page = await fetchPage(app, listKey(list), read)
  const rows = await readGirlsByIds(
    app.db,
    page.items.map(({ id }) => id),
  )
  const visible = await visibleAmong(app, viewer, context, rows)
  const ids = new Set(visible.map(({ girl_id }) => girl_id))
  return { ...page, items: page.items.filter(({ id }) => ids.has(id)) }
}

function fetchPage(app: App, key: string, read: () => Promise<Page>): Promise<Page> {
  const pages = sharedPages(app)
  const known = pages.get(key)
  if (known && msBetween(known.at, app.clock.now()) < KEPT_MS) return known.page
  const page = read()
  setNewest(pages, key, { at: app.clock.now(), page }, PAGES_MAX)
  page.catch(() => pages.delete(key))
  return page
}
