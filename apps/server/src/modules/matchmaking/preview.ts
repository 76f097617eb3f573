import type { Ack, LocaleName, SearchPair, SearchState, UserInterlocutor } from '@duet/protocol'
import { plusMs } from '../../lib/clock.ts'
import { newUuid } from '../../lib/ids.ts'
import { refuse } from '../../lib/refusal.ts'
import type { App } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { Guest } from '../../core/viewer.ts'
import { perApp } from '../../core/app-state.ts'
import { interlocutors } from '../identity/index.ts'
import { setting } from '../settings/index.ts'
import { listLanguages } from './queries.ts'
import type { SearchBudget } from './queue/match-queue.ts'
import { EMPTY_IDS, guyRank, NO_RECENT, type Searcher } from './queue/pairing-rules.ts'
import { connectedTab, matchmakingState } from './search-sessions.ts'
import { minutePrice, msUntil } from './views.ts'

/**
 * A waiting visitor without account: they see girls who really search and reserve no girl (MA4). Only in
 * memory.
 */
export interface Preview {
  readonly user_id: UserId
  readonly tab_id: string
  readonly locales: readonly string[]
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
  /** The card that was sent to the visitor. */
  readonly card: SearchPair
}

const previews = perApp(
  'matchmaking: previews',
  'previews shown to guests; a page asks again',
  () => new Map<UserId, Preview>(),
)

export function findPreview(app: App, user_id: UserId): Preview | undefined {
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
  if (tab_id !== undefined && !findPreview(app, viewer.id)) {
    const { id: user_id } = viewer
    const rest = { cancelGrace: undefined, is_over: false, shown: undefined, last_shown: undefined }
    const preview: Preview = {
      user_id,
      tab_id,
      locales: listLanguages(locales, viewer.locale),
      since: app.clock.now(),
      ...rest,
    }
    previews(app).set(user_id, preview)
    sendState(app, preview)
    await showPartners(app, [preview])
  }
  return previewState(app, viewer.id)
}

export function previewState(app: App, user_id: UserId): SearchState {
  const preview = findPreview(app, user_id)
  if (!preview) return { state: 'idle' }
  return { state: preview.shown ? 'offered' : 'waiting' }
}

/** The shown card, for a page that reconnects. */
export function previewCard(app: App, user_id: UserId): SearchPair | undefined {
  const shown = findPreview(app, user_id)?.shown
  return shown && { ...shown.card, expires_in_ms: msUntil(app, shown.until) }
}

export async function rejectPreview(
  app: App,
  viewer: Guest,
  pair_id: string,
): Promise<Ack<'SEARCH_PAIR_REJECT'>> {
  const preview = findPreview(app, viewer.id)
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

/** All visitors together examine about this many girls in one sweep. */
const SWEPT_ROWS_MAX = 200_000

/**
 * Runs each second, so that a waiting visitor sees a girl as soon as she searches, however many girls hide
 * from the visitor's country. Visitors who were not served within the budget are first in the next sweep.
 */
export function sweepPreviews(app: App, rows = SWEPT_ROWS_MAX): Promise<void> {
  const waiting = [...previews(app).values()].filter((one) => !one.cancelGrace && !one.shown)
  return showPartners(app, waiting, { rows })
}

/** Shows each of these visitors a girl. The cards of all are read together: visitors are many and pay nothing. */
async function showPartners(
  app: App,
  waiting: readonly Preview[],
  budget?: SearchBudget,
): Promise<void> {
  const found = new Map<Preview, UserId>()
  for (const preview of waiting) {
    if (budget && budget.rows <= 0) break
    const otherId = await findPartnerFor(app, preview, budget)
    if (otherId !== undefined) found.set(preview, otherId)
    if (budget) putLast(app, preview)
  }
  if (found.size === 0) return
  // As a viewer without an identity sees them: with the blurred picture.
  const girls = await interlocutors(app, app.db, null, [...new Set(found.values())])
  const girlsById = new Map(girls.map((girl) => [girl.id, girl]))
  for (const [preview, otherId] of found) {
    const girl = girlsById.get(otherId)
    if (girl && !preview.shown && !preview.is_over) showCard(app, preview, girl)
  }
}

/** Sweeps go through the visitors in the order of the map. */
function putLast(app: App, preview: Preview): void {
  if (preview.is_over) return
  previews(app).delete(preview.user_id)
  previews(app).set(preview.user_id, preview)
}

function showCard(
  app: App,
  preview: Preview,
  { id, role, locale, avatar }: UserInterlocutor,
): void {
  const pair_id = newUuid()
  const until = plusMs(app.clock.now(), setting(app, 'offer_seconds') * 1000)
  const cancel = app.clock.at(until, () => {
    closeShown(app, preview, 'expired')
    if (!preview.is_over) sendState(app, preview)
  })
  const card: SearchPair = {
    pair_id,
    kind: 'preview',
    user_interlocutor: { role, locale, avatar_blurred: avatar },
    state: 'public',
    price: minutePrice(app, 'guy', 'public'),
    free_seconds: setting(app, 'paid_after'),
    expires_in_ms: msUntil(app, until),
  }
  preview.shown = { pair_id, until, cancel, card }
  preview.last_shown = id
  app.emit(preview.user_id, 'search_pair', card)
  sendState(app, preview)
}

async function findPartnerFor(
  app: App,
  preview: Preview,
  budget?: SearchBudget,
): Promise<UserId | undefined> {
  const { queue } = matchmakingState(app)
  const nowMs = app.clock.now().epochMilliseconds
  const { last_shown } = preview
  // The country of the present connection: the visitor may have reconnected from another country.
  const country = app.realtime.local.mainConnection(preview.user_id)?.country ?? undefined
  const seeker = getSeeker(preview, country)
  if (last_shown !== undefined) {
    const excluded = new Set([last_shown])
    const other = await queue.findPartner({ ...seeker, excluded }, nowMs, budget)
    if (other) return other.user_id
  }
  return (await queue.findPartner(seeker, nowMs, budget))?.user_id
}

function getSeeker({ user_id, locales, since }: Preview, country: string | undefined): Searcher {
  return {
    user_id,
    side: 'guy',
    rank: guyRank(false),
    premium: false,
    locales,
    country,
    waiting_since_ms: since.epochMilliseconds,
    excluded: EMPTY_IDS,
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
