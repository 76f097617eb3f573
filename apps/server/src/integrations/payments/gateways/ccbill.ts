import { createHash } from 'node:crypto'
import { isLoopback } from '../../../lib/addresses/loopback.ts'
import { inNetworks } from '../../../lib/addresses/network-list.ts'
import { GatewayUnavailable } from '../../../lib/payments/gateway-unavailable.ts'
import { toDecimal, toMinor } from '../../../lib/payments/minor-units.ts'
import { isSameText } from '../../../lib/payments/same-text.ts'
import type {
  Gateway,
  NoticeReading,
  PayableOrder,
  PaymentNoticeKind,
  ProviderNotice,
  ProviderRequest,
} from '../gateway.ts'
import type { ProviderAccess } from '../payments-config.ts'
import { identifyCard } from '../identify-card.ts'
import { CONFIRM_LIMIT_MS } from '../confirm-paid.ts'
import { readParameters, toExactObject } from '../provider-calls.ts'
import { createDataLink, type FindSale } from './ccbill-datalink.ts'

const CODES: Readonly<Record<string, string>> = {
  USD: '840',
  EUR: '978',
  GBP: '826',
  CAD: '124',
  AUD: '036',
  JPY: '392',
}
const CURRENCY_OF = new Map(Object.entries(CODES).map(([currency, code]) => [code, currency]))
const PERIOD_DAYS = '30'
/**
 * The provider sends from these networks. The digest of a sale says nothing about its order and its amount, and notices about
 * money that goes back have none.
 */
const SENDERS = ['64.38.212.0/24', '64.38.215.0/24', '64.38.240.0/24', '64.38.241.0/24']
const BACK: Readonly<Record<string, PaymentNoticeKind>> = {
  Refund: 'refunded',
  Void: 'refunded',
  Return: 'charged_back',
  Chargeback: 'charged_back',
}

/** The field of DataLink that counts what an event reports. */
const COUNTED: Readonly<Record<string, string>> = {
  Refund: 'refundsIssued',
  Void: 'voidsIssued',
  Return: 'chargebacksIssued',
  Chargeback: 'chargebacksIssued',
}

type Given = Readonly<Record<string, string>>

/** FlexForms of CCBill: a redirect with a form digest, webhooks, and DataLink, which is asked back where it has a login. */
export function createCcbill(access: ProviderAccess<'ccbill'>): Gateway {
  const findSale = createDataLink(access)
  return {
    ...(findSale && { confirm: (notice) => confirmSale(notice, findSale) }),
    method: 'ccbill',
    currencies: new Set(Object.keys(CODES)),
    async start(order) {
      return { url: startAddress(order, access) }
    },
    read(request) {
      if (!isSender(request, access)) return { type: 'unverified', why: 'not from the provider' }
      const given = readGiven(request)
      if (!given) return { type: 'unverified', why: 'not readable' }
      const { account, subaccount } = access
      if (given.clientAccnum !== account || given.clientSubacc !== subaccount)
        return { type: 'unverified', why: 'another account' }
      const { eventType = '' } = given
      if (eventType === 'NewSaleSuccess') return readSale(given, access, 'paid')
      if (eventType === 'NewSaleFailure') return readSale(given, access, 'failed')
      const kind = BACK[eventType]
      if (kind === undefined) return { type: 'irrelevant', why: `the event ${eventType}` }
      return readBack(given, kind)
    },
    answer: (verdict) => ({
      status: verdict === 'unavailable' ? 503 : verdict === 'unverified' ? 400 : 200,
      content_type: 'text/plain',
      body: verdict.toUpperCase(),
    }),
  }
}

/**
 * A sale counts if DataLink knows it, and money that goes back if DataLink has counted such a step. DataLink names no amount:
 * that of the notice stays.
 */
async function confirmSale(
  notice: ProviderNotice,
  findSale: FindSale,
): Promise<ProviderNotice | undefined> {
  if (notice.kind === 'failed') return notice
  const sale = await findSale(notice.payment_id ?? '', AbortSignal.timeout(CONFIRM_LIMIT_MS))
  if (!sale) return undefined
  if (notice.kind === 'paid') return notice
  const [event = ''] = notice.step_id.split(':')
  const count = sale.get(COUNTED[event] ?? '') ?? ''
  if (!/^\d{1,9}$/.test(count)) throw new GatewayUnavailable('DataLink counts no such steps')
  return Number(count) > 0 ? notice : undefined
}

/** MD5 over the parts without a separator. */
export function ccbillDigest(...parts: readonly string[]): string {
  return createHash('md5').update(parts.join('')).digest('hex')
}

function startAddress(
  { price, currency, reference }: PayableOrder,
  { account, subaccount, form_id, salt, base_url }: ProviderAccess<'ccbill'>,
): string {
  const initialPrice = toDecimal(price, currency)
  const currencyCode = CODES[currency]!
  const parameters = new URLSearchParams({
    clientAccnum: account,
    clientSubacc: subaccount,
    initialPrice,
    initialPeriod: PERIOD_DAYS,
    currencyCode,
    formDigest: ccbillDigest(initialPrice, PERIOD_DAYS, currencyCode, salt),
    // Every other parameter comes back in the webhooks as `X-reference`.
    reference,
  })
  return `${base_url}/wap-frontflex/flexforms/${form_id}?${parameters.toString()}`
}

/** The fields of the query and of the body, which is JSON or a form as it is set at the provider. */
function readGiven({ query, body }: ProviderRequest): Given | undefined {
  const inQuery = readParameters(query)
  const text = body.toString('utf8')
  const object = text.trimStart().startsWith('{') ? toExactObject(text) : readParameters(text)
  if (!inQuery || !object) return undefined
  const texts = Object.entries(object).filter(([, value]) => typeof value === 'string')
  return { ...inQuery, ...(Object.fromEntries(texts) as Given) }
}

function readSale(
  given: Given,
  { salt }: ProviderAccess<'ccbill'>,
  kind: 'paid' | 'failed',
): NoticeReading {
  const { subscriptionId = '', transactionId = '', billedInitialPrice, billedCurrencyCode } = given
  const expected = ccbillDigest(subscriptionId, kind === 'paid' ? '1' : '0', salt)
  if (!isSameText(given.dynamicPricingValidationDigest, expected))
    return { type: 'unverified', why: 'the digest does not match' }
  const currency = CURRENCY_OF.get(billedCurrencyCode ?? '')
  return {
    type: 'notice',
    notice: {
      kind,
      reference: given['X-reference'],
      payment_id: subscriptionId,
      step_id: `${given.eventType}:${transactionId}`,
      amount:
        billedInitialPrice !== undefined && currency
          ? toMinor(billedInitialPrice, currency)
          : undefined,
      currency,
      instrument: identifyCard({ first: given.bin, last: given.last4, date: given.expDate }),
      is_test: false,
    },
  }
}

function readBack(given: Given, kind: PaymentNoticeKind): NoticeReading {
  const { subscriptionId, transactionId, amount } = given
  if (!subscriptionId || !transactionId) return { type: 'unverified', why: 'without a payment' }
  const currency = given.currency ?? CURRENCY_OF.get(given.currencyCode ?? '')
  return {
    type: 'notice',
    notice: {
      kind,
      reference: undefined,
      payment_id: subscriptionId,
      step_id: `${given.eventType}:${transactionId}`,
      amount: amount !== undefined && currency ? toMinor(amount, currency) : undefined,
      currency,
      instrument: undefined,
      is_test: false,
    },
  }
}

function isSender({ address }: ProviderRequest, { base_url }: ProviderAccess<'ccbill'>): boolean {
  // The program that plays the provider is on this machine.
  if (isLoopback(new URL(base_url).hostname)) return true
  return inNetworks(SENDERS, address)
}
