import { impersonalTable, personalTable } from '../../platform/personal-data/personal-data.ts'
import type { PersonalTable } from '../../core/personal-data.ts'

const BOOKS = 'the books of the business, and disputes; after the erasure the id names no person'

export const personalData: readonly PersonalTable[] = [
  impersonalTable('packages', 'what is on sale'),
  impersonalTable('package_prices', 'prices'),
  personalTable('orders', {
    users: ['user_id'],
    erasure: 'kept',
    why: BOOKS,
    exported: {
      of: ['user_id'],
      by: 'order_id',
      columns: [
        'place',
        'method',
        'pack',
        'value',
        'bonus',
        'price',
        'currency',
        'state',
        'returned',
        'created_at',
        'paid_at',
      ],
    },
  }),
  personalTable('payment_callbacks', {
    users: [],
    erasure: 'kept',
    why: 'proof of payments in disputes',
    exported: { not: 'signed messages between providers and this installation' },
  }),
  personalTable('payment_steps', {
    users: [],
    erasure: 'kept',
    why: 'a step of a payment counts once',
    exported: { not: 'the orders contain it' },
  }),
  personalTable('order_acts', {
    users: [],
    erasure: 'kept',
    why: 'a record about staff: what they decided about a payment',
    exported: { not: 'the orders contain what came of it' },
  }),
  impersonalTable('gift_cards', 'hashes of codes'),
  personalTable('spending_limits', {
    users: ['user_id'],
    erasure: 'deleted',
    exported: {
      of: ['user_id'],
      by: 'user_id',
      columns: ['daily_usd', 'next_usd', 'next_from', 'cool_off_until'],
    },
  }),
]
