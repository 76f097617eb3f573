import type { App } from '../../../core/app.ts'
import type { Staff } from '../../../core/viewer.ts'
import { fromDecimal } from '../../../lib/money.ts'
import { refuse } from '../../../lib/refusal.ts'
import { setting } from '../../settings/index.ts'

/** The units of a penalty that this member of staff may impose. Refuses invalid without an amount, role_forbidden. */
export function permittedAmount(
  app: App,
  { staff_role }: Staff,
  amount: string | undefined,
): bigint {
  if (amount === undefined)
    refuse('invalid', { fields: [{ path: 'amount', message: 'A penalty needs its coins' }] })
  const units = fromDecimal('coin', amount)
  const most = fromDecimal('coin', setting(app, 'moderator_penalty_coins'))
  return staff_role === 'moderator' && units > most ? refuse('role_forbidden') : units
}
