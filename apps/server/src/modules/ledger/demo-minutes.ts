import type { App } from '../../core/app.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { Member } from '../../core/viewer.ts'
import { newUuid } from '../../lib/ids.ts'
import { fromDecimal } from '../../lib/money.ts'
import { refuse } from '../../lib/refusal.ts'
import { setting } from '../settings/index.ts'
import { shownBalances } from './balances.ts'
import { grant } from './grant.ts'

/** Grants minutes for trying the product: in the demo installation only, which has no shop. */
export async function grantDemoMinutes(
  app: App,
  viewer: Member,
  _input: object,
  context: RequestContext,
) {
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
