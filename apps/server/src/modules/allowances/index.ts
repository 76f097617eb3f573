/**
 * Allowances: what a user may use without paying.
 *
 * Tables         free_quotas (free seconds of a guy, given once), quota_devices (the devices that got one), free_starts
 *                (calls that began with free seconds, by product day)
 * Does not know  what the seconds are used for: calls consume them, matchmaking shows them in an offer
 * Invariants     a pair has free seconds once a day (MA5)
 */
import type { Module } from '../../core/module.ts'
import { deleteRows } from '../../platform/retention/retention-rule.ts'
import { authFields } from './auth-fields.ts'
import { setting } from '../settings/index.ts'
import { grantQuota } from './quota.ts'

export const allowances: Module = {
  name: 'allowances',
  authFields,
  subscribers: { registered: grantQuota },
  retention: [
    // Counted by the product’s day: rows of earlier days are not read.
    deleteRows('free_starts', 'day', () => 2),
    deleteRows('quota_devices', 'at', (context) => setting(context, 'quota_device_days')),
  ],
}
export { hasFreeStart, consumeFreeStart } from './free-starts.ts'
export { getQuota, consumeQuota } from './quota.ts'
