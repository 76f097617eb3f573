import { randomBytes } from 'node:crypto'
import type { Query } from '@duet/protocol'
import { FALLBACK_LOCALE } from '@duet/protocol/kernel/locales.ts'
import type { App } from '../../../core/app.ts'
import { RawResponse } from '../../../core/raw-response.ts'
import type { RequestContext } from '../../../core/request-context.ts'
import type { Viewer } from '../../../core/viewer.ts'
import type {
  Gateway,
  PayableOrder,
  PaymentWidget,
} from '../../../integrations/payments/gateway.ts'
import { GatewayUnavailable } from '../../../lib/payments/gateway-unavailable.ts'
import { userById } from '../../identity/index.ts'
import { configuredGateway } from '../methods/configured-gateway.ts'
import { orderOfPage, orderPath } from './return-page.ts'
import { payable } from '../start-payment.ts'
import * as store from '../store.ts'

const NONCE_BYTES = 16
/** A script that has not loaded by then is taken for blocked, and the buyer goes to the page of the provider. */
const SCRIPT_LIMIT_MS = 10_000

/**
 * The page with the widget of a provider. It is no page of the application: the script of the provider runs beside nothing
 * else, and the policy of the application stays strict. With `plain` it leads to the page of the provider.
 */
export async function widgetPage(
  app: App,
  _viewer: Viewer,
  query: Query<'GET /payment/widget'>,
  context: RequestContext,
): Promise<RawResponse> {
  const order = await orderOfPage(app, query)
  const next = orderPath(app, 'return', order.order_id)
  const gateway = configuredGateway(app, order.method)
  const isOpen = order.state === 'created' || order.state === 'sent'
  if (!gateway?.widget || !isOpen) return redirect(next)
  const locale = (await userById(app.db, order.user_id))?.locale ?? FALLBACK_LOCALE
  const origin = context.origin ?? app.config.origins[0]!
  const given = await payable(app, order, { origin, locale })
  if (query.plain !== undefined)
    return redirect((await startPlain(app, gateway, given, order.order_id)) ?? next)
  const plain = `${orderPath(app, 'widget', order.order_id)}&plain=1`
  return drawWidget(gateway.widget, { order: given, next, plain })
}

/** The address at the provider. Undefined: the provider does not answer, and the order has failed. */
async function startPlain(
  app: App,
  gateway: Gateway,
  order: PayableOrder,
  order_id: number,
): Promise<string | undefined> {
  try {
    return (await gateway.start(order)).url
  } catch (error) {
    if (!(error instanceof GatewayUnavailable)) throw error
    app.log.warn({ err: error, method: gateway.method }, 'a provider of payments is unavailable')
    await app.transact((tx) =>
      store.changeOrder(tx, order_id, { state: 'failed' }, ['created', 'sent']),
    )
    return undefined
  }
}

function redirect(location: string): RawResponse {
  return new RawResponse({
    status: 303,
    content_type: 'text/plain',
    body: '',
    headers: { location },
  })
}

function drawWidget(
  widget: PaymentWidget,
  { order, next, plain }: { order: PayableOrder; next: string; plain: string },
): RawResponse {
  const nonce = randomBytes(NONCE_BYTES).toString('base64')
  const sources = widget.sources.join(' ')
  // No text of an order ends the script.
  const text = (value: string) => JSON.stringify(value).replaceAll('<', '\\u003c')
  const opening = widget.open(order).replaceAll('<', '\\u003c')
  const body = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Duet</title></head>
<body style="margin:0;background:#14100e"><script nonce="${nonce}">
const done = () => location.replace(${text(next)})
const leave = () => location.replace(${text(plain)})
const limit = setTimeout(leave, ${SCRIPT_LIMIT_MS})
const script = document.createElement('script')
script.onerror = leave
script.onload = () => {
  clearTimeout(limit)
  try { ${opening} } catch { leave() }
}
script.src = ${text(widget.script)}
document.head.append(script)
</script><noscript><meta http-equiv="refresh" content="0;url=${plain.replaceAll('&', '&amp;')}"></noscript></body></html>`
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' ${sources}`,
    `style-src 'unsafe-inline' ${sources}`,
    `img-src data: ${sources}`,
    `font-src ${sources}`,
    `connect-src ${sources}`,
    `frame-src ${sources}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]
  return new RawResponse({
    content_type: 'text/html; charset=utf-8',
    body,
    headers: {
      'Content-Security-Policy': policy.join('; '),
      'Referrer-Policy': 'no-referrer',
      'X-Robots-Tag': 'noindex',
    },
  })
}
