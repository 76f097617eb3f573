import type { Ack, LocaleName, SearchPair, SearchState } from '@duet/protocol'
import { plusMs } from '../../lib/clock.ts'
import { newUuid } from '../../lib/ids.ts'
import { refuse } from '../../lib/refusal.ts'
import type { App } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { Guest } from '../../core/viewer.ts'
import { perApp } from '../../core/module.ts'
import { interlocutor } from '../identity/index.ts'
import { setting } from '../settings/index.ts'
import { guyRank, noRecent, type Searcher } from './queue/pairing-rules.ts'
import { floor, tabOf } from './search-sessions.ts'
import { leftOf, priceFor } from './views.ts'

/** A visitor without account who waits: he is shown who really searches, and reserves nobody (MA4). Memory alone. */
export interface Preview {
  readonly user_id: UserId
  readonly tab_id: string
  readonly locales: readonly LocaleName[]
  readonly country: string | null
  readonly since: Temporal.Instant
  away: (() => void) | undefined
  over: boolean
  shown: Shown | undefined
  /** Who was shown last comes again only when nobody else is there. */
  last_shown: UserId | undefined
}

interface Shown {
  readonly pair_id: string
  readonly until: Temporal.Instant
  readonly cancel: () => void
  /** As sent, once the card is made. */
  card: SearchPair | undefined
}

const previews = perApp(
  'matchmaking: previews',
  'previews shown to guests; a page asks again',
  () => new Map<UserId, Preview>(),
)

export function previewOf(app: App, user_id: UserId): Preview | undefined {
  return previews(app).get(user_id)
}

/** In the visitor's turn. A woman needs an account: she would be met, not shown. */
export async function startPreview(
  app: App,
  viewer: Guest,
  locales: readonly LocaleName[],
  context: RequestContext,
): Promise<SearchState> {
  if (viewer.declared_role === 'girl') refuse('registered_only')
  const tab_id = tabOf(app, viewer, context)
  if (tab_id !== undefined && !previewOf(app, viewer.id)) {
    const { id: user_id } = viewer
    const rest = { away: undefined, over: false, shown: undefined, last_shown: undefined }
    const preview: Preview = {
      user_id,
      tab_id,
      locales,
      country: context.country,
      since: app.clock.now(),
      ...rest,
    }
    previews(app).set(user_id, preview)
    tell(app, preview)
    await showSomebody(app, preview)
  }
  return previewState(app, viewer.id)
}

export function previewState(app: App, user_id: UserId): SearchState {
  const preview = previewOf(app, user_id)
  if (!preview) return { state: 'idle' }
  return { state: preview.shown ? 'offered' : 'waiting' }
}

/** What the page that comes back sees of it. */
export function previewCard(app: App, user_id: UserId): SearchPair | undefined {
  const shown = previewOf(app, user_id)?.shown
  return shown?.card && { ...shown.card, expires_in_ms: leftOf(app, shown.until) }
}

export async function rejectPreview(
  app: App,
  viewer: Guest,
  pair_id: string,
): Promise<Ack<'SEARCH_PAIR_REJECT'>> {
  const preview = previewOf(app, viewer.id)
  if (preview?.shown?.pair_id !== pair_id) refuse('pair_over')
  endPreview(app, preview, 'declined')
  return {}
}

export function endPreview(app: App, preview: Preview, reason: 'cancelled' | 'declined'): void {
  preview.over = true
  preview.away?.()
  previews(app).delete(preview.user_id)
  takeAway(app, preview, reason)
  tell(app, preview)
}

/** Each second: whoever waits sees somebody, as soon as somebody is there. */
export async function sweepPreviews(app: App): Promise<void> {
  for (const preview of [...previews(app).values()]) {
    if (!preview.shown && !preview.away && !preview.over) await showSomebody(app, preview)
  }
}

async function showSomebody(app: App, preview: Preview): Promise<void> {
  const other_id = await somebodyFor(app, preview)
  if (other_id === undefined || preview.shown || preview.over) return
  const pair_id = newUuid()
  const until = plusMs(app.clock.now(), setting(app, 'offer_seconds') * 1000)
  const cancel = app.clock.at(until, () => {
    takeAway(app, preview, 'expired')
    if (!preview.over) tell(app, preview)
  })
  const shown: Shown = { pair_id, until, cancel, card: undefined }
  preview.shown = shown
  preview.last_shown = other_id
  // As nobody in particular would see her: that is what is blurred for everybody.
  const { role, locale, avatar } = await interlocutor(app, app.db, null, other_id)
  if (preview.shown !== shown) return
  shown.card = {
    pair_id,
    kind: 'preview',
    user_interlocutor: { role, locale, avatar_blurred: avatar },
    state: 'public',
    price: priceFor(app, 'guy', 'public'),
    free_seconds: setting(app, 'paid_after'),
    expires_in_ms: leftOf(app, until),
  }
  app.emit(preview.user_id, 'search_pair', shown.card)
  tell(app, preview)
}

async function somebodyFor(app: App, preview: Preview): Promise<UserId | undefined> {
  const { room } = floor(app)
  const now_ms = app.clock.now().epochMilliseconds
  const { last_shown } = preview
  const other = await room.findPartner(
    seekerOf(preview, last_shown === undefined ? [] : [last_shown]),
    now_ms,
  )
  return (other ?? (await room.findPartner(seekerOf(preview, []), now_ms)))?.user_id
}

function seekerOf(
  { user_id, locales, country, since }: Preview,
  excluded: readonly UserId[],
): Searcher {
  return {
    user_id,
    side: 'guy',
    rank: guyRank(false),
    premium: false,
    locales,
    country: country ?? undefined,
    waiting_since_ms: since.epochMilliseconds,
    excluded: new Set(excluded),
    recent: noRecent,
  }
}

function takeAway(app: App, preview: Preview, reason: 'cancelled' | 'declined' | 'expired'): void {
  const { shown } = preview
  if (!shown) return
  shown.cancel()
  preview.shown = undefined
  app.emit(preview.user_id, 'search_pair_closed', { pair_id: shown.pair_id, reason })
}

function tell(app: App, { user_id }: Preview): void {
  app.emit(user_id, 'search_state', previewState(app, user_id))
}
