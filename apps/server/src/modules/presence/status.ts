import type { Payload, UserInterlocutor } from '@duet/protocol'
import type { App, Reader, UserId } from '../../context.ts'
import { plusMs } from '../../lib/clock.ts'
import { perApp } from '../../platform/module.ts'
import type { LineChange } from '../../platform/realtime/realtime.ts'
import { userNow } from '../identity/index.ts'

/** What somebody online is doing; `free` when nothing. */
export type Doing = 'free' | 'searching' | 'public' | 'private' | 'break'
type Shown = Pick<Payload<'update_status_user'>, 'status' | 'sub_status'>

/** A reload is no departure: a person is away after this. */
const away_after_ms = 5000
/** News is gathered for so long before it is sent. */
const news_ms = 250

interface Present {
  readonly role: 'men' | 'girl'
  doing: Doing
  leaving?: () => void
}

/** Memory form of the presence port; a Redis form keeps the same three maps by instance. */
const port = perApp(() => ({
  people: new Map<UserId, Present>(),
  women: 0,
  news: new Set<UserId>(),
  gathering: false,
}))

export function isOnline(app: App, user_id: UserId): boolean {
  return port(app).people.has(user_id)
}

export function doing(app: App, user_id: UserId): Doing {
  return port(app).people.get(user_id)?.doing ?? 'free'
}

export function womenOnline(app: App): number {
  return port(app).women
}

export function statusOf(app: App, user_id: UserId): Shown {
  const present = port(app).people.get(user_id)
  if (!present) return { status: 'offline', sub_status: null }
  const busy = present.doing === 'public' || present.doing === 'private'
  return { status: busy ? 'busy' : 'online', sub_status: present.doing }
}

/** Search and calls say what somebody is doing; for whoever is not here it means nothing. */
export function setDoing(app: App, user_id: UserId, now: Doing): void {
  const present = port(app).people.get(user_id)
  if (!present || present.doing === now) return
  present.doing = now
  tellSoon(app, user_id)
}

export async function facesOf(
  _: Reader,
  viewer_id: UserId | null,
  ids: readonly UserId[],
  app: App,
): Promise<Map<UserId, Partial<UserInterlocutor>>> {
  const hidden = await hiddenFrom(app, viewer_id, ids)
  return new Map(ids.map((id) => [id, hidden.has(id) ? { status: 'offline', sub_status: null } : statusOf(app, id)]))
}

/** Whom the viewer may not see, as the modules that know say. */
export async function hiddenFrom(
  app: App,
  viewer_id: UserId | null,
  ids: readonly UserId[],
): Promise<ReadonlySet<UserId>> {
  const hidden = new Set<UserId>()
  for (const part of app.modules) {
    if (part.hides) for (const id of await part.hides(app.db, viewer_id, ids)) hidden.add(id)
  }
  return hidden
}

/** Follows every line of this process for as long as the app runs. */
export async function follow(app: App): Promise<() => void> {
  return app.realtime.onLine((change) => {
    if (change.what !== 'main') return
    heard(app, change).catch((error: unknown) => app.log.error({ err: error }, 'a presence could not be kept'))
  })
}

async function heard(app: App, { user_id, state, why }: LineChange): Promise<void> {
  const { people } = port(app)
  if (state === 'down') return why === 'ended' ? leave(app, user_id) : leaveSoon(app, user_id)
  const row = await userNow(app, user_id)
  // A guest is nobody's to see. The line may have gone while the row was read.
  if (!row?.role || !app.realtime.isLive(user_id)) return
  const present = people.get(user_id)
  present?.leaving?.()
  if (present) return
  people.set(user_id, { role: row.role === 'girl' ? 'girl' : 'men', doing: 'free' })
  if (row.role === 'girl') port(app).women += 1
  tellSoon(app, user_id)
}

function leaveSoon(app: App, user_id: UserId): void {
  const present = port(app).people.get(user_id)
  if (!present || app.realtime.isLive(user_id)) return
  present.leaving?.()
  present.leaving = app.clock.at(plusMs(app.clock.now(), away_after_ms), () => {
    if (!app.realtime.isLive(user_id)) leave(app, user_id)
  })
}

function leave(app: App, user_id: UserId): void {
  const { people } = port(app)
  const present = people.get(user_id)
  if (!present) return
  present.leaving?.()
  people.delete(user_id)
  if (present.role === 'girl') port(app).women -= 1
  tellSoon(app, user_id)
}

/** Gathers what changed and tells, for each person once, those who look. */
function tellSoon(app: App, user_id: UserId): void {
  const state = port(app)
  state.news.add(user_id)
  if (state.gathering) return
  state.gathering = true
  app.clock.at(plusMs(app.clock.now(), news_ms), () => {
    state.gathering = false
    const news = [...state.news]
    state.news.clear()
    for (const id of news) tell(app, id)
    app.realtime.broadcast('online', 'online.count', { woman: state.women })
  })
}

function tell(app: App, user_id: UserId): void {
  const shown = statusOf(app, user_id)
  app.realtime.broadcast(`user:${user_id}`, 'update_status_user', { user_id, ...shown })
  if (port(app).people.get(user_id)?.role !== 'men') {
    app.realtime.broadcast('girls', 'update_status_girl', { user_id, status: shown.status })
  }
}
