import { createHmac } from 'node:crypto'
import type { Query } from '@duet/protocol'
import {
  FALLBACK_LOCALE,
  getDirection,
  isLocale,
  type Locale,
} from '@duet/protocol/kernel/locales.ts'
import type { App, AppContext } from '../../../core/app.ts'
import { RawResponse } from '../../../core/raw-response.ts'
import type { Viewer } from '../../../core/viewer.ts'
import { isSameText } from '../../../lib/payments/same-text.ts'
import { keyFor } from '../../../lib/derived-key.ts'
import { refuse } from '../../../lib/refusal.ts'
import { escapeHtml } from '../../../lib/texts/escape-html.ts'
import { serverText } from '../../../platform/texts.ts'
import { userById } from '../../identity/index.ts'
import { refreshOrder } from '../orders.ts'
import type { OrderState } from '../order-rules.ts'
import { findOrder, type OrderRow } from '../queries.ts'

const KEY_CHARACTERS = 32
const REFRESH_SECONDS = 4

type BuyerPage = 'return' | 'widget'

/** The address of a page for one order. A stranger cannot guess its key, and it opens no other page. */
export function orderPath(context: AppContext, page: BuyerPage, order_id: number): string {
  return `/payment/${page}?order=${order_id}&key=${signKey(context, page, order_id)}`
}

/** Refuses not_found for a wrong key. */
export async function orderOfPage(
  app: App,
  page: BuyerPage,
  { order, key }: { readonly order: number; readonly key: string },
): Promise<OrderRow> {
  if (!isSameText(key, signKey(app, page, order))) refuse('not_found')
  return (await findOrder(app.db, order)) ?? refuse('not_found')
}

function signKey({ config }: AppContext, page: BuyerPage, order_id: number): string {
  const secret = keyFor(config, 'pages of returned buyers')
  return createHmac('sha256', secret)
    .update(`${page}:${order_id}`)
    .digest('hex')
    .slice(0, KEY_CHARACTERS)
}

/**
 * The page of the tab in which the buyer paid. It is no page of the application: a second page of the application would
 * take the connection, and the call, from the page that waits.
 */
export async function returnPage(
  app: App,
  _viewer: Viewer,
  query: Query<'GET /payment/return'>,
): Promise<RawResponse> {
  const order = await refreshOrder(app, await orderOfPage(app, 'return', query))
  const locale = (await userById(app.db, order.user_id))?.locale ?? FALLBACK_LOCALE
  return new RawResponse({
    content_type: 'text/html; charset=utf-8',
    body: drawPage(isLocale(locale) ? locale : FALLBACK_LOCALE, SHOWN[order.state]),
    headers: { 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex' },
  })
}

const SHOWN = {
  created: 'waiting',
  sent: 'waiting',
  paid: 'paid',
  failed: 'failed',
  expired: 'expired',
  refunded: 'returned',
  charged_back: 'returned',
  quarantined: 'checking',
} as const satisfies Record<OrderState, string>
type Shown = (typeof SHOWN)[OrderState]

const STYLE = `
  body { display: grid; place-items: center; min-height: 100vh; margin: 0; background: #14100e; color: #f5efec; font: 17px/1.5 system-ui, sans-serif }
  main { max-width: 26rem; padding: 1.5rem; text-align: center }
  h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .5rem }
  p { margin: 0 0 1.5rem; color: #c9bdb6 }
  a { display: inline-block; padding: .8rem 1.6rem; border-radius: 999px; background: #ff9d66; color: #2a120a; font-weight: 600; text-decoration: none }
  a:focus-visible { outline: 3px solid #fff; outline-offset: 3px }`

function drawPage(locale: Locale, shown: Shown): string {
  const say = (id: string) => escapeHtml(serverText(locale, 'receipts', id))
  const refresh =
    shown === 'waiting' ? `<meta http-equiv="refresh" content="${REFRESH_SECONDS}">` : ''
  return `<!doctype html>
<html lang="${locale}" dir="${getDirection(locale)}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">${refresh}
<title>${say('return.title')}</title><style>${STYLE}</style></head>
<body><main role="status"><h1>${say(`return.${shown}`)}</h1><p>${say(`return.${shown}_text`)}</p>
<a href="/">${say('return.back')}</a></main></body></html>`
}
