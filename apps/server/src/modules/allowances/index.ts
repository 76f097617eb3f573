/**
 * Allowances: what a user may use without paying.
 *
 * Tables         free_quotas (free seconds of a guy, given once), quota_devices (the devices that got one), free_starts
 *                (calls that began with free seconds, by product day), free_messages (those a guy used, by product day)
 * Does not know  what they are used for: calls and the messenger consume them, matchmaking shows them in an offer
 * Invariants     a pair has free seconds once a day (MA5)
 */
import type { Module } from '../../core/module.ts'
import { deleteRows } from '../../platform/retention/retention-rule.ts'
import { impersonalTable, personalTable } from '../../platform/personal-data/personal-data.ts'
import { setting } from '../settings/index.ts'
import { grantQuota } from './quota.ts'
import { authFields, followDays } from './quotas.ts'

export const allowances: Module = {
  name: 'allowances',
  authFields,
  subscribers: { registered: grantQuota },
  personalData: {
    tables: [
      personalTable('free_quotas', {
        users: ['user_id'],
        erasure: 'deleted',
        exported: { of: ['user_id'], by: 'user_id', columns: ['seconds'] },
      }),
      personalTable('free_starts', {
        users: ['guy_id', 'girl_id'],
        erasure: 'deleted',
        exported: { not: 'counts of two days' },
      }),
      personalTable('free_messages', {
        users: ['user_id'],
        erasure: 'deleted',
        exported: { not: 'counts of two days' },
      }),
      impersonalTable('quota_devices', 'keyed hashes of devices, without a user'),
    ],
  },
  start: async (app) => followDays(app),
  retention: [
    // Counted by the product’s day: rows of earlier days are not read.
    deleteRows('free_starts', 'day', () => 2),
    deleteRows('free_messages', 'day', () => 2),
    deleteRows('quota_devices', 'at', (context) => setting(context, 'quota_device_days')),
  ],
}
export { type Charge, chargedCredits, chargeFor, nextMessageCharge, type Payer } from './charge.ts'
export { consumeFreeMessages } from './quotas.ts'
export { hasFreeStart, consumeFreeStart } from './free-starts.ts'
export { getQuota, consumeQuota } from './quota.ts'
