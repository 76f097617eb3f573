import { createHash } from 'node:crypto'
import { isSameText } from '../../../lib/payments/same-text.ts'
import type {
  Gateway,
  NamedOrder,
  PaymentNoticeKind,
  NoticeReading,
  PayableOrder,
  ProviderNotice,
} from '../gateway.ts'
import { toDecimal, toMinor } from '../../../lib/payments/minor-units.ts'
import { GatewayUnavailable } from '../../../lib/payments/gateway-unavailable.ts'
import { confirmPaid } from '../confirm-paid.ts'
import { fetchText, readParameters } from '../provider-calls.ts'

export interface VerotelAccess {
  readonly shop_id: string
  readonly signature_key: string
  readonly base_url: string
}

const CURRENCIES = ['USD', 'EUR', 'GBP', 'AUD', 'CAD', 'CHF', 'DKK', 'NOK', 'SEK']
/** Parameters of a request that the provider does not sign. */
const UNSIGNED = new Set(['email', 'oneClickToken', 'signature'])
const ANSWERED = /^response: (?:NOT)?FOUND\s*$/m
const EVENTS: Readonly<Record<string, PaymentNoticeKind>> = {
  initial: 'paid',
  credit: 'refunded',
  chargeback: 'charged_back',
}

/** FlexPay 4 of Verotel: the browser is redirected with signed parameters, and a signed postback reports the sale, whose status is asked back. */
export function createVerotel({ shop_id, signature_key, base_url }: VerotelAccess): Gateway {
  const sign = (parameters: Readonly<Record<string, string>>) =>
    verotelSignature(signature_key, parameters)
  const fetchStatus = ({ reference }: NamedOrder, signal: AbortSignal | null = null) => {
    const parameters = { referenceID: reference, shopID: shop_id, version: '4' }
    const query = new URLSearchParams({ ...parameters, signature: sign(parameters) }).toString()
    return fetchText(`${base_url}/salestatus?${query}`, { signal })
  }
  return {
    method: 'verotel',
    currencies: new Set(CURRENCIES),
    async start(order) {
      const parameters = purchase(order, shop_id)
      const signed = { ...parameters, signature: sign(parameters) }
      return { url: `${base_url}/startorder?${new URLSearchParams(signed).toString()}` }
    },
    read({ query }) {
      const parameters = readParameters(query)
      if (!parameters) return { type: 'unverified', why: 'a parameter came twice' }
      if (!isSameText(parameters.signature, sign(parameters)))
        return { type: 'unverified', why: 'the signature does not match' }
      if (parameters.shopID !== shop_id) return { type: 'unverified', why: 'another shop' }
      return readPostback(parameters)
    },
    ask: async (order) => readStatus(await fetchStatus(order), order),
    confirm: (notice, order) =>
      confirmPaid(notice, order, async (signal) => {
        const text = await fetchStatus(order, signal)
        // Another answer tells nothing about the sale, so it counts as no answer.
        if (!ANSWERED.test(text)) throw new GatewayUnavailable('Verotel gave no status of a sale')
        return readStatus(text, order)
      }),
    // Without the answer OK the provider gives a card payment back.
    refunds_unaccepted: true,
    answer: (verdict) => ({
      status: verdict === 'unavailable' ? 503 : verdict === 'unverified' ? 400 : 200,
      content_type: 'text/plain',
      body: verdict === 'accepted' ? 'OK' : verdict.toUpperCase(),
    }),
  }
}

/** SHA-256 over the secret and all signed parameters, sorted by name, with colons between. */
export function verotelSignature(
  key: string,
  parameters: Readonly<Record<string, string>>,
): string {
  const signed = Object.entries(parameters)
    .filter(([name, value]) => !UNSIGNED.has(name) && value !== '')
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
  return createHash('sha256')
    .update([key, ...signed].join(':'))
    .digest('hex')
}

function purchase(order: PayableOrder, shopId: string): Record<string, string> {
  return {
    version: '4',
    shopID: shopId,
    type: 'purchase',
    priceAmount: toDecimal(order.price, order.currency),
    priceCurrency: order.currency,
    description: order.description,
    referenceID: order.reference,
    custom1: order.buyer_key,
    successURL: order.return_url,
    declineURL: order.return_url,
    ...(order.email !== undefined && { email: order.email }),
  }
}

function readPostback(parameters: Readonly<Record<string, string>>): NoticeReading {
  const { event = '', saleID, transactionID, parentID, referenceID } = parameters
  const kind = EVENTS[event]
  if (kind === undefined) return { type: 'irrelevant', why: `the event ${event}` }
  if (!saleID) return { type: 'unverified', why: 'without a sale' }
  const currency = parameters.priceCurrency
  const amount = parameters.priceAmount ?? parameters.amount
  return {
    type: 'notice',
    notice: {
      kind,
      reference: referenceID,
      payment_id: saleID,
      step_id: [saleID, event, transactionID ?? parentID ?? ''].join(':'),
      amount: amount !== undefined && currency ? toMinor(amount, currency) : undefined,
      currency,
      // The brand and the last digits that the provider names are those of many cards.
      instrument: undefined,
      is_test: false,
    },
  }
}

/** The answer is a line for each field: `saleResult: APPROVED`. */
function readStatus(text: string, { reference }: NamedOrder): ProviderNotice | undefined {
  const fields = new Map(
    text.split('\n').flatMap((line) => {
      const match = /^(\w+): (.*)$/.exec(line.trim())
      return match ? [[match[1]!, match[2]!] as const] : []
    }),
  )
  const saleID = fields.get('saleID')
  const currency = fields.get('priceCurrency')
  const amount = fields.get('priceAmount')
  if (fields.get('response') !== 'FOUND' || fields.get('saleResult') !== 'APPROVED' || !saleID)
    return undefined
  return {
    kind: 'paid',
    reference,
    payment_id: saleID,
    // As the postback of the same sale.
    step_id: [saleID, 'initial', fields.get('transactionID') ?? ''].join(':'),
    amount: amount !== undefined && currency ? toMinor(amount, currency) : undefined,
    currency,
    instrument: undefined,
    is_test: false,
  }
}
