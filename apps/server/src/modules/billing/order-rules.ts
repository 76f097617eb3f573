import type { PaymentNoticeKind } from '../../integrations/payments/gateway.ts'

/**
 * The rules of orders: pure decisions about a notice of a provider. Repetitions of a step are found before, by the step's id.
 */

export type OrderState =
  | 'created'
  | 'sent'
  | 'paid'
  | 'failed'
  | 'expired'
  | 'refunded'
  | 'charged_back'
  | 'quarantined'

/** The part of an order that decides. Amounts are in the smallest unit of the currency. */
export interface DecidedOrder {
  readonly state: OrderState
  readonly price: bigint
  readonly currency: string
  readonly returned: bigint
  readonly payment_id: string | null
  readonly paid_at: Temporal.Instant | null
  /** Money came in, not as ordered, at some time. */
  readonly quarantined_why: string | null
}

export interface DecidingNotice {
  readonly kind: PaymentNoticeKind
  readonly payment_id: string | undefined
  readonly amount: bigint | undefined
  readonly currency: string | undefined
  readonly is_test: boolean
}

export type OrderDecision =
  | { readonly type: 'credit' }
  /** `returned`: of the price, by now. `state`: unchanged if a part stays paid, or if nothing is paid yet. */
  | {
      readonly type: 'return'
      readonly returned: bigint
      readonly state: 'refunded' | 'charged_back' | undefined
    }
  | { readonly type: 'change'; readonly state: 'sent' | 'failed' }
  | { readonly type: 'quarantine'; readonly why: PaymentDifference | 'spending_limit' }
  /** Correct, and nothing follows from it. */
  | { readonly type: 'nothing'; readonly why: string }
  /** Not as ordered, and the state stays: staff find the callback. */
  | {
      readonly type: 'refuse'
      readonly why:
        | PaymentDifference
        | 'second_payment'
        | 'paid_after_return'
        | 'test_payment'
        | 'over'
        | 'spending_limit'
    }

/** The kinds of a notice about money that goes back are the states of an order whose money went back. */
export function isReturn(kindOrState: string): kindOrState is 'refunded' | 'charged_back' {
  return kindOrState === 'refunded' || kindOrState === 'charged_back'
}

export type PaymentDifference = 'wrong_amount' | 'wrong_currency' | 'partial_payment'

/** The states in which a payment is credited. A payment may be reported late. */
const CREDITABLE: ReadonlySet<OrderState> = new Set([
  'created',
  'sent',
  'failed',
  'expired',
  'quarantined',
])
/** A provider may know of a payment that was not reported. */
export const ASKED_STATES = ['created', 'sent', 'failed', 'expired'] as const satisfies OrderState[]
/** Staff may credit a payment in these states, if they know that it came in. */
export const STAFF_CREDITS: ReadonlySet<OrderState> = new Set(['quarantined', 'failed', 'expired'])
interface OrderFacts {
  readonly takes_tests: boolean
  /** The payment would pass the limits that the buyer has set. */
  readonly beyond_limits: boolean
}

const WAITING: ReadonlySet<OrderState> = new Set(['created', 'sent'])

export function decideNotice(
  order: DecidedOrder,
  notice: DecidingNotice,
  { takes_tests, beyond_limits }: OrderFacts,
): OrderDecision {
  if (notice.is_test && !takes_tests) return { type: 'refuse', why: 'test_payment' }
  switch (notice.kind) {
    case 'asked':
      return decideQuestion(order, notice, beyond_limits)
    case 'pending':
      return order.state === 'created'
        ? { type: 'change', state: 'sent' }
        : { type: 'nothing', why: 'late' }
    case 'paid':
      return decidePaid(order, notice, beyond_limits)
    case 'partial':
      return CREDITABLE.has(order.state) && order.returned === 0n
        ? { type: 'quarantine', why: 'partial_payment' }
        : { type: 'refuse', why: 'partial_payment' }
    case 'failed':
      return WAITING.has(order.state) || order.state === 'expired'
        ? { type: 'change', state: 'failed' }
        : { type: 'nothing', why: 'late' }
    case 'refunded':
    case 'charged_back':
      return decideReturn(order, notice, notice.kind)
  }
}

function decideQuestion(
  order: DecidedOrder,
  notice: DecidingNotice,
  isBeyondLimits: boolean,
): OrderDecision {
  if (!WAITING.has(order.state)) return { type: 'refuse', why: 'over' }
  const why = findDifference(order, notice) ?? (isBeyondLimits ? 'spending_limit' : undefined)
  return why ? { type: 'refuse', why } : { type: 'nothing', why: 'asked' }
}

function decidePaid(
  order: DecidedOrder,
  notice: DecidingNotice,
  isBeyondLimits: boolean,
): OrderDecision {
  const isKnown = order.payment_id !== null && notice.payment_id === order.payment_id
  if (order.paid_at !== null)
    return isKnown
      ? { type: 'nothing', why: 'repeated' }
      : { type: 'refuse', why: 'second_payment' }
  if (!CREDITABLE.has(order.state))
    // Either the order of the notices is reversed, or the money that was given back was other money.
    return order.quarantined_why === null
      ? { type: 'nothing', why: 'returned before' }
      : { type: 'refuse', why: 'paid_after_return' }
  const why = findDifference(order, notice) ?? (isBeyondLimits ? 'spending_limit' : undefined)
  return why ? { type: 'quarantine', why } : { type: 'credit' }
}

function findDifference(
  order: DecidedOrder,
  notice: DecidingNotice,
): PaymentDifference | undefined {
  if (notice.currency !== order.currency) return 'wrong_currency'
  return notice.amount === order.price ? undefined : 'wrong_amount'
}

/** A return without an amount is a return of everything that is left. */
function decideReturn(
  order: DecidedOrder,
  { amount, currency }: DecidingNotice,
  state: 'refunded' | 'charged_back',
): OrderDecision {
  if (currency !== undefined && currency !== order.currency)
    return { type: 'refuse', why: 'wrong_currency' }
  if (order.state === 'charged_back') return { type: 'nothing', why: 'repeated' }
  if (order.state === 'refunded')
    return state === 'charged_back'
      ? { type: 'return', returned: order.price, state }
      : { type: 'nothing', why: 'repeated' }
  const sum = order.returned + (amount ?? order.price - order.returned)
  const returned = sum > order.price ? order.price : sum
  return { type: 'return', returned, state: returned === order.price ? state : undefined }
}

/** The units to take back by now, of all units that the order credited: rounded down until everything is given back. */
export function unitsTakenBack(
  units: bigint,
  { price, returned }: { readonly price: bigint; readonly returned: bigint },
): bigint {
  if (returned >= price) return units
  return (units * returned) / price
}
