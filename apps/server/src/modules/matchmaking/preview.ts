import type { Ack, LocaleName, SearchPair, SearchState } from '@duet/protocol'
import { plusMs } from '../../lib/clock.ts'
import { newUuid } from '../../lib/ids.ts'
import { refuse } from '../../lib/refusal.ts'
import type { App } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { Guest } from '../../core/viewer.ts'
import { perApp } from '../../core/app-state.ts'
import { interlocutor } from '../identity/index.ts'
import { setting } from '../settings/index.ts'
import { languagesOf } from './queries.ts'
import { guyRank, NO_RECENT, type Searcher } from './queue/pairing-rules.ts'
import { connectedTab, matchmakingState } from './search-sessions.ts'
import { minutePrice, msUntil } from './views.ts'

/** A waiting visitor without account: they see girls who really search and reserve none of them (MA4). Only in memory. */
export interface Preview {
  readonly user_id: UserId
  readonly tab_id: string
  readonly locales: readonly string[]
  readonly country: string | null
  readonly since: Temporal.Instant
  cancelGrace: (() => void) | undefined
  is_over: boolean
  shown: ShownPreview | undefined
  /** Shown again only if no other girl is there. */
  last_shown: UserId | undefined
}

interface ShownPreview {
  readonly pair_id: string
  readonly until: Temporal.Instant
  readonly cancel: () => void
  /** As it was sent; undefined until it is read. */
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

/** Inside `runExclusive`. A girl needs an account: she would be offered to others. */
export async function startPreview(
  app: App,
  viewer: Guest,
  locales: readonly LocaleName[],
  context: RequestContext,
): Promise<SearchState> {
  if (viewer.declared_role === 'girl') refuse('registered_only')
  const tab_id = connectedTab(app, viewer, context)
  if (tab_id !== undefined && !previewOf(app, viewer.id)) {
    const { id: user_id } = viewer
    const rest = { cancelGrace: undefined, is_over: false, shown: undefined, last_shown: undefined }
    const preview: Preview = {
      user_id,
      tab_id,
      locales: languagesOf(locales, viewer.locale),
      country: context.country,
      since: app.clock.now(),
      ...rest,
    }
    previews(app).set(user_id, preview)
    sendState(app, preview)
    await showPartner(app, preview)
  }
  return previewState(app, viewer.id)
}

export function previewState(app: App, user_id: UserId): SearchState {
  const preview = previewOf(app, user_id)
  if (!preview) return { state: 'idle' }
  return { state: preview.shown ? 'offered' : 'waiting' }
}

/** The shown card, for a page that reconnects. */
export function previewCard(app: App, user_id: UserId): SearchPair | undefined {
  const shown = previewOf(app, user_id)?.shown
  return shown?.card && { ...shown.card, expires_in_ms: msUntil(app, shown.until) }
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
  preview.is_over = true
  preview.cancelGrace?.()
  previews(app).delete(preview.user_id)
  closeShown(app, preview, reason)
  sendState(app, preview)
}

/** Runs each second, so that a waiting visitor sees a girl as soon as one searches. */
export async function sweepPreviews(app: App): Promise<void> {
  for (const preview of [...previews(app).values()]) {
    if (!preview.shown && !preview.cancelGrace && !preview.is_over) await showPartner(app, preview)
  }
}

async function showPartner(app: App, preview: Preview): Promise<void> {
  const otherId = await findPartnerFor(app, preview)
  if (otherId === undefined || preview.shown || preview.is_over) return
  const pair_id = newUuid()
  const until = plusMs(app.clock.now(), setting(app, 'offer_seconds') * 1000)
  const cancel = app.clock.at(until, () => {
    closeShown(app, preview, 'expired')
    if (!preview.is_over) sendState(app, preview)
  })
  const shown: ShownPreview = { pair_id, until, cancel, card: undefined }
  preview.shown = shown
  preview.last_shown = otherId
  // As a viewer without an identity sees her: the picture is the blurred one.
  const { role, locale, avatar } = await interlocutor(app, app.db, null, otherId)
  if (preview.shown !== shown) return
  shown.card = {
    pair_id,
    kind: 'preview',
    user_interlocutor: { role, locale, avatar_blurred: avatar },
    state: 'public',
    price: minutePrice(app, 'guy', 'public'),
    free_seconds: setting(app, 'paid_after'),
    expires_in_ms: msUntil(app, until),
  }
  app.emit(preview.user_id, 'search_pair', shown.card)
  sendState(app, preview)
}

async function findPartnerFor(app: App, preview: Preview): Promise<UserId | undefined> {
  const { queue } = matchmakingState(app)
  const nowMs = app.clock.now().epochMilliseconds
  const { last_shown } = preview
  const other = await queue.findPartner(
    seekerOf(preview, last_shown === undefined ? [] : [last_shown]),
    nowMs,
  )
  return (other ?? (await queue.findPartner(seekerOf(preview, []), nowMs)))?.user_id
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
    recent: NO_RECENT,
  }
}

function closeShown(
  app: App,
  preview: Preview,
  reason: 'cancelled' | 'declined' | 'expired',
): void {
  const { shown } = preview
  if (!shown) return
  shown.cancel()
  preview.shown = undefined
  app.emit(preview.user_id, 'search_pair_closed', { pair_id: shown.pair_id, reason })
}

function sendState(app: App, { user_id }: Preview): void {
  app.emit(user_id, 'search_state', previewState(app, user_id))
}
