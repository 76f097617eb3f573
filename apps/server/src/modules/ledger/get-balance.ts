import type { App } from '../../core/app.ts'
import { wireTime } from '../../lib/clock.ts'
import { userNow } from '../identity/index.ts'
import { shownBalances } from './balances.ts'

/** The balances of a user, and whether the user is premium. */
export async function getBalance(app: App, viewer: { id: number; kind: string }) {
  const [{ balance, balance_units, balance_messages }, user] = await Promise.all([
    shownBalances(app, app.db, viewer.id),
    userNow(app, viewer.id),
  ])
  const premiumUntil = user?.premium_until ?? null
  const isPremiumNow =
    premiumUntil !== null && Temporal.Instant.compare(premiumUntil, app.clock.now()) > 0
  return {
    balance,
    balance_units: balance_units.toString(),
    balance_messages,
    is_premium: isPremiumNow,
    premium_until: premiumUntil && wireTime(premiumUntil),
  }
}
