import type { ReportKind } from '@duet/protocol/contracts/reports.ts'
import { perApp } from '../../core/app-state.ts'
import type { App } from '../../core/app.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { Viewer } from '../../core/viewer.ts'
import { parseRateLimit } from '../../lib/rate-limit.ts'
import { spendCaptcha } from '../../platform/dispatch/captcha/captcha-gate.ts'
import { findSite, toNetwork } from '../../platform/http/client-address.ts'

const NETWORKS_MAX = 100_000
/** Reports without a captcha: of a network, and of all networks together. */
const FREE = parseRateLimit('2/day')
const FREE_OF_ALL = parseRateLimit('60/hour')
/** Uploads that are named and hidden at once: of a network or account, of a site, and of all together. */
const NAMED = parseRateLimit('20/day')
const NAMED_OF_SITE = parseRateLimit('40/day')
const NAMED_OF_ALL = parseRateLimit('200/day')

/** Urgent forms that stand before others: of a network, and of a site. */
const FIRST = parseRateLimit('2/day')
const FIRST_OF_SITE = parseRateLimit('6/day')

const limiters = perApp(
  'reports: reports without a captcha, urgent ones, and named uploads',
  'token buckets of networks and of all together; start full',
  (app) => ({
    network: app.createRateLimiter(NETWORKS_MAX),
    all: app.createRateLimiter(1),
    first: app.createRateLimiter(NETWORKS_MAX),
    named: app.createRateLimiter(NETWORKS_MAX),
    named_of_all: app.createRateLimiter(1),
  }),
)

/**
 * Asks for a captcha after a few reports of a network. A report of an intimate picture hides pictures of other people at once,
 * so it always needs one. Refuses captcha_required.
 */
export async function limitReports(
  app: App,
  kind: ReportKind,
  request: { readonly viewer: Viewer; readonly context: RequestContext },
): Promise<void> {
  if (kind !== 'intimate_image' && (await isFree(app, request.context.address))) return
  await spendCaptcha(app, { purpose: 'report', ...request })
}

/** Whether an urgent form is one of the first of its network and site that day. */
export async function isOneOfFirst(app: App, { address }: RequestContext): Promise<boolean> {
  const nowMs = app.clock.now().epochMilliseconds
  const { first } = limiters(app)
  const site = findSite(address)
  return (
    (await first.take(toNetwork(address), FIRST, nowMs)) === 0 &&
    (site === undefined || (await first.take(site, FIRST_OF_SITE, nowMs)) === 0)
  )
}

/**
 * Whether a form may hide this number of uploads that it names at once. The ids of pictures stand in the catalogue, so that one person
 * could name all of them. Beyond the limit staff or the clock hide them, and the operator is told.
 */
export async function mayHideNamed(
  app: App,
  count: number,
  { viewer, context }: { readonly viewer: Viewer; readonly context: RequestContext },
): Promise<boolean> {
  const nowMs = app.clock.now().epochMilliseconds
  const { named, named_of_all } = limiters(app)
  const clients = [{ key: toNetwork(context.address), limit: NAMED }]
  const site = findSite(context.address)
  if (site !== undefined) clients.push({ key: site, limit: NAMED_OF_SITE })
  if (viewer.kind !== 'none') clients.push({ key: `user ${viewer.id}`, limit: NAMED })
  for (let taken = 0; taken < count; taken += 1) {
    let isWithin = true
    for (const { key, limit } of clients)
      isWithin = isWithin && (await named.take(key, limit, nowMs)) === 0
    isWithin = isWithin && (await named_of_all.take('all', NAMED_OF_ALL, nowMs)) === 0
    if (isWithin) continue
    app.log.error('reports name too many uploads: further ones wait for staff or the clock')
    return false
  }
  return true
}

async function isFree(app: App, address: string): Promise<boolean> {
  const nowMs = app.clock.now().epochMilliseconds
  const { network, all } = limiters(app)
  return (
    (await network.take(toNetwork(address), FREE, nowMs)) === 0 &&
    (await all.take('all', FREE_OF_ALL, nowMs)) === 0
  )
}
