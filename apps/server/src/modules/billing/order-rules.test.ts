import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { randomFrom } from '@duet/testkit/seeded-random.ts'
import {
  type DecidedOrder,
  type DecidingNotice,
  decideNotice,
  type OrderState,
  unitsTakenBack,
} from './order-rules.ts'

const order: DecidedOrder = {
  state: 'sent',
  price: 1499n,
  currency: 'USD',
  returned: 0n,
  payment_id: null,
  paid_at: null,
  quarantined_why: null,
}
const paidOrder: DecidedOrder = {
  ...order,
  state: 'paid',
  payment_id: 'p1',
  paid_at: Temporal.Instant.from('2026-01-01T00:00:00Z'),
}
const notice: DecidingNotice = {
  kind: 'paid',
  payment_id: 'p1',
  amount: 1499n,
  currency: 'USD',
  is_test: false,
}
const facts = { takes_tests: false, beyond_limits: false }
const decide = (of: Partial<DecidedOrder>, notices: Partial<DecidingNotice>) =>
  decideNotice({ ...order, ...of }, { ...notice, ...notices }, facts)

for (const state of ['created', 'sent', 'failed', 'expired', 'quarantined'] satisfies OrderState[])
  test(`a payment as ordered is credited in the state ${state}`, () => {
    deepEqual(decide({ state }, {}), { type: 'credit' })
  })

for (const [what, changed, why] of [
  ['less', { amount: 1498n }, 'wrong_amount'],
  ['more', { amount: 1500n }, 'wrong_amount'],
  ['no amount', { amount: undefined }, 'wrong_amount'],
  ['another currency', { currency: 'JPY' }, 'wrong_currency'],
  ['no currency', { currency: undefined }, 'wrong_currency'],
] as const)
  test(`a payment of ${what} is never credited: staff decide`, () => {
    deepEqual(decide({}, changed), { type: 'quarantine', why })
    deepEqual(decide({}, { ...changed, kind: 'asked' }), { type: 'refuse', why })
  })

test('a paid order is paid once, and a second payment waits for staff', () => {
  deepEqual(decide(paidOrder, {}), { type: 'nothing', why: 'repeated' })
  deepEqual(decide(paidOrder, { payment_id: 'p2' }), { type: 'refuse', why: 'second_payment' })
})

test('a payment beyond the limits of its buyer is never credited: staff decide', () => {
  const beyond = { ...facts, beyond_limits: true }
  const why = 'spending_limit'
  deepEqual(decideNotice(order, notice, beyond), { type: 'quarantine', why })
  deepEqual(decideNotice(order, { ...notice, kind: 'asked' }, beyond), { type: 'refuse', why })
})

test('a payment of the provider’s test mode credits only where tests are taken', () => {
  deepEqual(decide({}, { is_test: true }), { type: 'refuse', why: 'test_payment' })
  deepEqual(
    decideNotice(
      order,
      { ...notice, is_test: true },
      {
        ...facts,
        takes_tests: true,
      },
    ),
    {
      type: 'credit',
    },
  )
})

test('a late failure changes no paid order, and a late pending changes nothing', () => {
  deepEqual(decide(paidOrder, { kind: 'failed' }), { type: 'nothing', why: 'late' })
  deepEqual(decide(paidOrder, { kind: 'pending' }), { type: 'nothing', why: 'late' })
  deepEqual(decide({ state: 'expired' }, { kind: 'failed' }), { type: 'change', state: 'failed' })
})

test('parts are given back until the order is given back, and not more', () => {
  const part = decide(paidOrder, { kind: 'refunded', amount: 500n })
  deepEqual(part, { type: 'return', returned: 500n, state: undefined })
  const rest = decide({ ...paidOrder, returned: 500n }, { kind: 'refunded', amount: 9999n })
  deepEqual(rest, { type: 'return', returned: 1499n, state: 'refunded' })
  deepEqual(decide({ ...paidOrder, state: 'refunded', returned: 1499n }, { kind: 'refunded' }), {
    type: 'nothing',
    why: 'repeated',
  })
})

test('a payment that was given back before it was reported is not credited', () => {
  const before = decide({}, { kind: 'refunded', amount: undefined, currency: undefined })
  deepEqual(before, { type: 'return', returned: 1499n, state: 'refunded' })
  deepEqual(decide({ state: 'refunded', returned: 1499n }, {}), {
    type: 'nothing',
    why: 'returned before',
  })
})

test('a payment that is complete after a part of it was given back waits for staff', () => {
  const returned = { state: 'refunded' as const, returned: 1499n }
  deepEqual(decide({ ...returned, quarantined_why: 'partial_payment' }, {}), {
    type: 'refuse',
    why: 'paid_after_return',
  })
})

test('a chargeback follows a refund, and nothing follows a chargeback', () => {
  const refunded = { ...paidOrder, state: 'refunded' as const, returned: 1499n }
  deepEqual(decide(refunded, { kind: 'charged_back' }), {
    type: 'return',
    returned: 1499n,
    state: 'charged_back',
  })
  for (const kind of ['refunded', 'charged_back'] as const)
    equal(decide({ ...refunded, state: 'charged_back' }, { kind }).type, 'nothing')
})

test('the units of parts given back are never more than those of the whole, and all at the end', () => {
  const random = randomFrom(7)
  for (let time = 0; time < 2_000; time += 1) {
    const price = BigInt(1 + Math.floor(random() * 100_000))
    const units = BigInt(1 + Math.floor(random() * 10_000_000))
    let last = 0n
    for (let returned = 0n; returned <= price; returned += price / 3n + 1n) {
      const taken = unitsTakenBack(units, { price, returned })
      equal(taken >= last && taken <= units, true)
      last = taken
    }
    equal(unitsTakenBack(units, { price, returned: price }), units)
  }
})
