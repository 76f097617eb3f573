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
  StartedPayment,
} from '../../../integrations/payments/gateway.ts'
import { GatewayUnavailable } from '../../../lib/payments/gateway-unavailable.ts'
import { escapeHtml } from '../../../lib/texts/escape-html.ts'
import { userById } from '../../identity/index.ts'
import { configuredGateway } from '../methods/configured-gateway.ts'
import { orderOfPage, orderPath } from './return-page.ts'
import { payable } from '../start-payment.ts'
import * as store from '../store.ts'

const NONCE_BYTES = 16
/** A script that has not loaded by then is taken for blocked, and the buyer goes to the page of the provider. */
const SCRIPT_LIMIT_MS = 10_000

/**
 * The page with the widget of a provider, or with the form that it takes. It is no page of the application: the script of the provider runs beside nothing
 * else, and the policy of the application stays strict. With `plain` it leads to the page of the provider.
 */
export async function widgetPage(
  app: App,
  _viewer: Viewer,
  query: Query<'GET /payment/widget'>,
  context: RequestContext,
): Promise<RawResponse> {
  const order = await orderOfPage(app, 'widget', query)
  const next = orderPath(app, 'return', order.order_id)
  const gateway = configuredGateway(app, order.method)
  const isOpen = order.state === 'created' || order.state === 'sent'
  if (!gateway || !isOpen) return redirect(next)
  const locale = (await userById(app.db, order.user_id))?.locale ?? FALLBACK_LOCALE
  const origin = context.origin ?? app.config.origins[0]!
  const given = await payable(app, order, { origin, locale })
  if (query.plain !== undefined || !gateway.widget) {
    const started = await startPlain(app, gateway, given, order.order_id)
    return started?.fields ? drawForm(started.url, started.fields) : redirect(started?.url ?? next)
  }
  const plain = `${orderPath(app, 'widget', order.order_id)}&plain=1`
  return drawWidget(gateway.widget, { order: given, next, plain })
}

/** The page of the provider. Undefined: the provider does not answer, and the order has failed. */
async function startPlain(
  app: App,
  gateway: Gateway,
  order: PayableOrder,
  order_id: number,
): Promise<StartedPayment | undefined> {
  try {
    return await gateway.start(order)
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

/** The form is sent by itself, or by a press in a browser without scripts. */
function drawForm(action: string, fields: Readonly<Record<string, string>>): RawResponse {
  const nonce = newNonce()
  const inputs = Object.entries(fields).map(
    ([name, value]) =>
      `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  )
  const body = `<form method="post" action="${escapeHtml(action)}">${inputs.join('')}<noscript><button>→</button></noscript></form>
<script nonce="${nonce}">document.forms[0].submit()</script>`
  // The provider may lead the browser on to another origin of its own.
  const policy = [`script-src 'nonce-${nonce}'`, `form-action ${new URL(action).origin} https:`]
  return drawPage(body, policy)
}

function newNonce(): string {
  return randomBytes(NONCE_BYTES).toString('base64')
}

function drawPage(content: string, policy: readonly string[]): RawResponse {
  return new RawResponse({
    content_type: 'text/html; charset=utf-8',
    body: `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Duet</title></head>
<body style="margin:0;background:#14100e">${content}</body></html>`,
    headers: {
      'Content-Security-Policy': [
        "default-src 'none'",
        ...policy,
        "base-uri 'none'",
        "frame-ancestors 'none'",
      ].join('; '),
      'Referrer-Policy': 'no-referrer',
      'X-Robots-Tag': 'noindex',
    },
  })
}

function drawWidget(
  widget: PaymentWidget,
  { order, next, plain }: { order: PayableOrder; next: string; plain: string },
): RawResponse {
  const nonce = newNonce()
  const sources = widget.sources.join(' ')
  // No text of an order ends the script.
  const text = (value: string) => JSON.stringify(value).replaceAll('<', '\\u003c')
  const opening = widget.open(order).replaceAll('<', '\\u003c')
  const body = `<script nonce="${nonce}">
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
</script><noscript><meta http-equiv="refresh" content="0;url=${escapeHtml(plain)}"></noscript>`
  return drawPage(body, [
    `script-src 'nonce-${nonce}' ${sources}`,
    `style-src 'unsafe-inline' ${sources}`,
    `img-src data: ${sources}`,
    `font-src ${sources}`,
    `connect-src ${sources}`,
    `frame-src ${sources}`,
    "form-action 'none'",
  ])
}
