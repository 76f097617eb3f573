import type { ReportKind } from '@duet/protocol/contracts/reports.ts'
import { perApp } from '../../core/app-state.ts'
import type { App } from '../../core/app.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { Viewer } from '../../core/viewer.ts'
import { parseRateLimit } from '../../lib/rate-limit.ts'
import { spendCaptcha } from '../../platform/dispatch/captcha/captcha-gate.ts'
import { toNetwork } from '../../platform/http/client-address.ts'

const NETWORKS_MAX = 100_000
/** Reports without a captcha: of a network, and of all networks together. */
const FREE = parseRateLimit('2/day')
const FREE_OF_ALL = parseRateLimit('60/hour')

const limiters = perApp(
  'reports: reports without a captcha',
  'token buckets of networks and of all together; start full',
  (app) => ({ network: app.createRateLimiter(NETWORKS_MAX), all: app.createRateLimiter(1) }),
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

async function isFree(app: App, address: string): Promise<boolean> {
  const nowMs = app.clock.now().epochMilliseconds
  const { network, all } = limiters(app)
  return (
    (await network.take(toNetwork(address), FREE, nowMs)) === 0 &&
    (await all.take('all', FREE_OF_ALL, nowMs)) === 0
  )
}
