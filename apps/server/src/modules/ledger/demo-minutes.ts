import type { App } from '../../core/app.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { Member } from '../../core/viewer.ts'
import { wireTime } from '../../lib/clock.ts'
import { newUuid } from '../../lib/ids.ts'
import { fromDecimal } from '../../lib/money.ts'
import { refuse } from '../../lib/refusal.ts'
import type { EndpointsOf } from '../../core/module.ts'
import { userNow } from '../identity/index.ts'
import { setting } from '../settings/index.ts'
import { shownBalances } from './balances.ts'
import { grant } from './grant.ts'

async function getBalance(app: App, viewer: { id: number; kind: string }) {
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

/** Grants minutes for trying the product: in the demo installation only, which has no shop. */
async function grantDemoMinutes(app: App, viewer: Member, _input: object, context: RequestContext) {
  if (!app.config.demo) refuse('not_found')
  const amount = fromDecimal('diamond', setting(app, 'demo_grant'))
  const key = `demo:${viewer.id}:${context.idempotency_key ?? newUuid()}`
  return app.transact(async (tx) => {
    await grant(tx, {
      user_id: viewer.id,
      asset: 'diamond',
      amount,
      reason: 'minutes of the demo installation',
      key,
      by: 'demo',
    })
    const { balance } = await shownBalances(app, tx, viewer.id)
    const answer = { balance }
    await context.storeAnswer?.(tx, answer)
    return answer
  })
}

export const endpoints = {
  'POST balance': getBalance,
  'POST demo/minutes': grantDemoMinutes,
} satisfies Partial<EndpointsOf<'ledger'>>
