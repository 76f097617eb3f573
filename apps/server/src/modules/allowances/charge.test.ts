import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { type Charge, chargeFor, type Funds, type Payer } from './charge.ts'

const GUY: Payer = { role: 'guy', is_premium: false }
const PREMIUM: Payer = { role: 'guy', is_premium: true }
const GIRL: Payer = { role: 'girl', is_premium: false }
const FREE: Charge = { type: 'free' }
const CREDIT: Charge = { type: 'credit', credits: 1 }

const CASES: readonly [string, Payer, Funds, Charge][] = [
  ['a girl pays nothing', GIRL, { free_left: 0, credits: 0 }, { type: 'none' }],
  ['a free message comes before a credit', PREMIUM, { free_left: 1, credits: 5 }, FREE],
  ['a free message needs no Premium', GUY, { free_left: 1, credits: 0 }, FREE],
  ['then a credit pays', PREMIUM, { free_left: 0, credits: 5n }, CREDIT],
  ['credits that are not read yet pay', PREMIUM, { free_left: 0 }, CREDIT],
  [
    'credits need Premium',
    GUY,
    { free_left: 0, credits: 5 },
    { type: 'refused', refusal: 'message_limit' },
  ],
  [
    'without Premium the credits need not be read',
    GUY,
    { free_left: 0 },
    { type: 'refused', refusal: 'message_limit' },
  ],
  [
    'without a credit nothing pays',
    PREMIUM,
    { free_left: 0, credits: 0 },
    { type: 'refused', refusal: 'no_balance' },
  ],
]

for (const [name, payer, funds, charge] of CASES)
  test(`who pays for a message: ${name}`, () =>
    deepEqual(chargeFor('message', payer, funds), charge))
