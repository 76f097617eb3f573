import { toDecimal } from '../../../lib/payments/minor-units.ts'
import { escapeHtml } from '../../../lib/texts/escape-html.ts'
import type { PlayedPayment } from './provider.ts'

const STYLE = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
  body { display: grid; place-items: center; min-height: 100vh; margin: 0; background: Canvas; color: CanvasText }
  main { width: min(26rem, calc(100vw - 3rem)) }
  h1 { font-size: 1.25rem; margin: 0 }
  .price { font-size: 2rem; font-weight: 600; margin: .25rem 0 1rem }
  form { display: grid; gap: .75rem }
  button { font: inherit; min-height: 3rem; border-radius: .75rem; border: 1px solid; cursor: pointer }
  .pay { background: #1b6b3a; color: #fff; border-color: #1b6b3a }
  small { display: block; margin-top: 1rem; opacity: .75 }`

/** The page where a person presses Pay or Decline. */
export function paymentPage(payment: PlayedPayment): string {
  const { amount, currency, description, method, id } = payment
  return drawPage(
    `<h1>${escapeHtml(description)}</h1>
    <p class="price">${toDecimal(amount, currency)} ${escapeHtml(currency)}</p>
    <form method="post" action="/pay/${id}?press=pay"><button class="pay">Pay</button></form>
    <form method="post" action="/pay/${id}?press=decline" style="margin-top:.75rem"><button>Decline</button></form>
    <small>A stand-in for ${escapeHtml(method)}. No money moves here. <a href="/" target="_blank">Refunds, chargebacks and faults</a></small>`,
  )
}

/** The page of a payment that is over. */
export function closedPage({ state, success_url, failure_url }: PlayedPayment): string {
  const url = state === 'failed' ? failure_url : success_url
  return drawPage(
    `<h1>This payment is over</h1><p>Its state is ${state}.</p><p><a href="${escapeHtml(url)}">Back to the shop</a></p>
    <p><a href="/" target="_blank">Refunds, chargebacks and faults</a></p>`,
  )
}

export function drawPage(content: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Payment</title><style>${STYLE}</style><main>${content}</main></html>`
}
