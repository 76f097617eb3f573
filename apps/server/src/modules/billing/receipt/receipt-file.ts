import type { Query } from '@duet/protocol'
import type { App } from '../../../core/app.ts'
import { RawResponse } from '../../../core/raw-response.ts'
import type { Member } from '../../../core/viewer.ts'
import { toDecimal } from '../../../lib/payments/minor-units.ts'
import { productDay } from '../../../lib/clock.ts'
import { refuse } from '../../../lib/refusal.ts'
import { serverText, textDirection } from '../../../platform/texts.ts'
import { ownOrder } from '../orders.ts'
import type { OrderRow } from '../queries.ts'
import { drawReceipt, type PurchaseReceipt } from './draw-receipt.ts'

const STATES: Readonly<Record<string, string>> = {
  paid: 'receipt.paid',
  refunded: 'receipt.refunded',
  charged_back: 'receipt.disputed',
}

/** The receipt of one's own paid order as a PDF. An order that was never paid has none. */
export async function receiptFile(
  app: App,
  viewer: Member,
  { id }: Query<'GET orders/{id}/receipt'>,
): Promise<RawResponse> {
  const order = await ownOrder(app, viewer, id)
  if (order.paid_at === null) refuse('not_found')
  const body = await drawReceipt(describeReceipt(app, viewer, order))
  return new RawResponse({
    body,
    content_type: 'application/pdf',
    headers: { 'Content-Disposition': `attachment; filename="receipt-${id}.pdf"` },
  })
}

/** A name of any direction inside a line. */
function isolate(name: string): string {
  return `\u2068${name}\u2069`
}

type Buyer = Pick<Member, 'id' | 'nick' | 'locale'>

/** The texts of a receipt, as the page of the purchase shows them. */
export function describeReceipt(
  { config }: Pick<App, 'config'>,
  buyer: Buyer,
  order: OrderRow,
): PurchaseReceipt {
  const { locale } = buyer
  const say = (id: string, values: Record<string, string | number> = {}) =>
    serverText(locale, 'receipts', id, values)
  const { order_id, pack, value, bonus, price, returned, currency, premium_until } = order
  const money = (amount: bigint) => `${toDecimal(amount, currency)} ${currency}`
  const item = (count: number) =>
    say(pack === 'minutes' ? 'receipt.minutes' : 'receipt.messages', { count })
  const day = (at: Temporal.Instant) => productDay(at).toString()
  return {
    locale,
    direction: textDirection(locale, 'receipts'),
    title: say('receipt.title', { number: order_id }),
    issuer: say('receipt.issuer', { origin: new URL(config.origins[0]!).host }),
    lines: [
      [say('receipt.date'), day(order.paid_at!)],
      [say('receipt.buyer'), `${isolate(buyer.nick)} (${buyer.id})`],
      [say('receipt.item'), item(value)],
      ...(bonus > 0 ? [[say('receipt.bonus'), item(bonus)] as const] : []),
      ...(premium_until
        ? [['', say('receipt.premium', { day: day(premium_until) })] as const]
        : []),
      [say('receipt.method'), order.method],
      ...(order.payment_id ? [[say('receipt.payment'), order.payment_id] as const] : []),
      [say('receipt.price'), money(price)],
      ...(returned > 0n ? [[say('receipt.returned'), money(returned)] as const] : []),
      [say('receipt.state'), say(STATES[order.state] ?? 'receipt.paid')],
    ],
  }
}
