import { type Answer, isLocale, limits, type LocaleName, type Recommendation } from '@duet/protocol'
import type { App } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { Viewer } from '../../core/viewer.ts'
import { longestTalks } from '../calls/index.ts'
import { likedUsers } from '../messenger/index.ts'
import type { GirlList } from './girl-list.ts'
import { toGirls } from './girls-page.ts'
import { readGirls, readGirlsByIds } from './queries.ts'
import { visibleAmong } from './visible-girls.ts'

type Reason = Pick<Recommendation, 'reason' | 'reason_value'>

/** Girls of one reason. Candidates beyond it take the places of girls who are hidden from the viewer. */
const TALKED_MAX = 6
const LIKED_MAX = 6
const LANGUAGE_MAX = 8
const CANDIDATES = 40
/** Shorter talks recommend no girl. */
const TALK_SECONDS = 60

/** Girls for this viewer, each with its reason: the longest talks, the likes, the language, and then the best. */
export async function recommendations(
  app: App,
  viewer: Viewer,
  _query: object,
  context: RequestContext,
): Promise<Answer<'GET recommendations'>> {
  const chosen = new Map<UserId, Reason>()
  const add = (ids: readonly UserId[], most: number, reasonFor: (id: UserId) => Reason) => {
    const added = ids.filter((id) => !chosen.has(id)).slice(0, most)
    for (const id of added) if (chosen.size < limits.page_items) chosen.set(id, reasonFor(id))
  }
  const visible = async (girls: Parameters<typeof visibleAmong>[3]) =>
    (await visibleAmong(app, viewer, context, girls)).map(({ girl_id }) => girl_id)

  if (viewer.kind === 'member' && viewer.role === 'guy') {
    const talks = await longestTalks(app.db, viewer.id, TALK_SECONDS, CANDIDATES)
    const talked = await visible(await readGirlsByIds(app.db, [...talks.keys()]))
    add(talked, TALKED_MAX, (id) => ({
      reason: 'talked',
      reason_value: Math.floor(talks.get(id)! / 60),
    }))
    const likes = await likedUsers(app.db, viewer.id, CANDIDATES)
    add(await visible(await readGirlsByIds(app.db, likes)), LIKED_MAX, () => ({ reason: 'liked' }))
  }
  const language = getLanguage(viewer, context)
  const readBest = async (list: Partial<GirlList>) =>
    visible(
      await readGirls(
        app.db,
        { order: 'best', top: false, name: '', ...list },
        undefined,
        CANDIDATES,
      ),
    )
  for (const is_online of [true, false])
    add(await readBest({ is_online, language }), LANGUAGE_MAX, () => ({
      reason: 'language',
      reason_value: language,
    }))
  for (const is_online of [true, false])
    if (chosen.size < limits.page_items)
      add(await readBest({ is_online }), limits.page_items, () => ({ reason: 'best' }))

  const girls = await toGirls(app, viewer, [...chosen.keys()])
  return { items: girls.map((girl) => ({ ...girl, ...chosen.get(girl.id)! })) }
}

function getLanguage(viewer: Viewer, { locale }: RequestContext): LocaleName {
  const own = viewer.kind === 'none' ? locale : viewer.locale
  return own !== undefined && isLocale(own) ? own : 'en'
}
