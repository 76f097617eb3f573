import type { App } from '../../../core/app.ts'
import type { Staff } from '../../../core/viewer.ts'
import { fromDecimal, unitsOf } from '../../../lib/money.ts'
import { refuse } from '../../../lib/refusal.ts'
import { setting } from '../../settings/index.ts'

/**
 * The units of a penalty that this member of staff may impose. Refuses invalid without whole coins and beyond the most of one
 * penalty, role_forbidden for a moderator.
 */
export function permittedAmount(
  app: App,
  { staff_role }: Staff,
  amount: string | undefined,
): bigint {
  if (amount === undefined) refuseAmount('A penalty needs its coins')
  const units = fromDecimal('coin', amount)
  if (units % unitsOf.coin !== 0n) refuseAmount('A penalty is whole coins')
  const mostOfModerator = fromDecimal('coin', setting(app, 'moderator_penalty_coins'))
  if (staff_role === 'moderator' && units > mostOfModerator) refuse('role_forbidden')
  const most = setting(app, 'manager_penalty_coins')
  if (units > fromDecimal('coin', most)) refuseAmount(`A penalty is at most ${most} coins`)
  return units
}

function refuseAmount(message: string): never {
  return refuse('invalid', { fields: [{ path: 'amount', message }] })
}
