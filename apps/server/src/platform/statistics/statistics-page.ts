import { randomBytes } from 'node:crypto'
import { GOALS } from '@duet/protocol/kernel/entities.ts'
import type { App } from '../../core/app.ts'
import { RawResponse } from '../../core/raw-response.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { Viewer } from '../../core/viewer.ts'
import { refuse } from '../../lib/refusal.ts'
import { type GoalOptions, sendGoals, startGoogle, startYandex } from './send-goals.ts'

const NONCE_BYTES = 16
const RETRY_MS = 500
const TRIES = 20

/** The hosts of each service, as its maker lists them. */
const SOURCES = {
  yandex: {
    scripts: ['https://mc.yandex.ru', 'https://mc.yandex.com', 'https://yastatic.net'],
    connections: ['https://mc.yandex.ru', 'https://mc.yandex.com'],
  },
  google: {
    scripts: ['https://www.googletagmanager.com'],
    connections: ['https://*.google-analytics.com', 'https://*.analytics.google.com'],
  },
}

/**
 * The frame in which the scripts of the services of statistics run. Its `sandbox` gives it an origin of its own: the
 * scripts read neither the page around it nor its address, storage or cookies. It takes the names of goals, nothing else.
 */
export async function statisticsPage(
  { config }: App,
  _viewer: Viewer,
  _query: Record<never, never>,
  { origin = config.origins[0]! }: RequestContext,
): Promise<RawResponse> {
  const { analytics: counters } = config
  if (counters.length === 0) refuse('not_found')
  const nonce = randomBytes(NONCE_BYTES).toString('base64')
  const options: GoalOptions = {
    counters,
    goals: GOALS,
    page: `${origin}/statistics`,
    retry_ms: RETRY_MS,
    tries: TRIES,
  }
  const given = JSON.stringify(options).replaceAll('<', '\\u003c')
  const script = `(${sendGoals})(window, ${given}, { yandex: ${startYandex}, google: ${startGoogle} })`
  return new RawResponse({
    content_type: 'text/html; charset=utf-8',
    body: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Duet</title><script nonce="${nonce}">${script}</script></head></html>`,
    headers: {
      'Content-Security-Policy': framePolicy(counters, nonce),
      'X-Frame-Options': 'SAMEORIGIN',
      'Referrer-Policy': 'no-referrer',
      'X-Robots-Tag': 'noindex',
    },
  })
}

function framePolicy(counters: App['config']['analytics'], nonce: string): string {
  const sources = counters.map(({ service }) => SOURCES[service])
  const scripts = sources.flatMap((source) => source.scripts).join(' ')
  const connections = sources.flatMap((source) => source.connections).join(' ')
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' ${scripts}`,
    `connect-src ${connections}`,
    `img-src ${connections}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-scripts',
  ].join('; ')
}
