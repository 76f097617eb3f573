/**
 * Allowances: what a user may use without paying.
 *
 * Owns     free_quotas (free seconds of a guy, given once), free_starts (calls that began with free seconds, by product day)
 * Ignores  what the seconds are used for: calls consume them, matchmaking shows them in an offer
 * Laws     a pair has free seconds once a day (MA5)
 */
import type { Module } from '../../core/module.ts'
import { authFields } from './auth-fields.ts'
import { grantQuota } from './quota.ts'

export const allowances: Module = {
  name: 'allowances',
  authFields,
  subscribers: { registered: grantQuota },
}
export { hasFreeStart, consumeFreeStart } from './free-starts.ts'
export { getQuota, consumeQuota } from './quota.ts'
