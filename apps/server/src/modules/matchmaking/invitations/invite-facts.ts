import type { Answer, Query, QuietHours } from '@duet/protocol'
import type { Role } from '@duet/protocol/kernel/roles.ts'
import { fromDecimal } from '../../../lib/money.ts'
import { permission } from '../../../lib/refusal.ts'
import type { App, AppContext } from '../../../core/app.ts'
import { type Db, readTogether } from '../../../core/db.ts'
import type { UserId } from '../../../core/ids.ts'
import type { Member } from '../../../core/viewer.ts'
import { blockedBy } from '../../blocks/index.ts'
import { usersByIds, type UserRow } from '../../identity/index.ts'
import { readAffordable } from '../../ledger/index.ts'
import { type Caller, type CallPermissions, getActivity } from '../../presence/index.ts'
import { hasAvatar, quietWindow } from '../../profile/index.ts'
import { setting } from '../../settings/index.ts'
import { type CallingFacts, findCallRefusal } from './invite-rules.ts'
import { reachableAmong } from './reachable.ts'

/** Diamond units that a guy needs before a private call rings or opens. */
export function privateReserve(context: AppContext): bigint {
  const minute = fromDecimal('diamond', setting(context, 'price_private'))
  return (minute * BigInt(Math.floor(setting(context, 'private_reserve'))) + 59n) / 60n
}

/** The facts about each of these users, for this caller; a user who does not exist is left out. */
export async function readCallFacts(
  context: AppContext,
  db: Db,
  caller: Caller,
  ids: readonly UserId[],
): Promise<ReadonlyMap<UserId, CallingFacts>> {
  const payers = caller.role === 'guy' ? [caller.id] : ids
  const [rows, hidden, blocked, reachable, funds] = await readTogether(db, [
    () => usersByIds(db, ids),
    () => context.hooks.hiddenUsers(db, { id: caller.id }, ids),
    () => blockedBy(db, caller.id, ids),
    () => reachableAmong(context, db, ids),
    () => readAffordable(db, payers, 'diamond'),
  ])
  const shown = new Set<UserId>()
  for (const row of rows) if (row.role === 'guy' || (await hasAvatar(db, row.id))) shown.add(row.id)
  const reserve = privateReserve(context)
  const toFacts = (row: UserRow): CallingFacts => ({
    caller: caller.role,
    callee: getRole(row),
    is_blocked: blocked.has(row.id),
    is_hidden: hidden.has(row.id),
    is_premium: caller.premium,
    premium_calls_only: row.role === 'girl' && row.premium_calls_only,
    takes_calls:
      reachable.has(row.id) && shown.has(row.id) && row.available && !isQuiet(context, row),
    is_in_private_call: getActivity(context, row.id) === 'private',
    can_pay: (funds.get(caller.role === 'guy' ? caller.id : row.id) ?? 0n) >= reserve,
  })
  return new Map(rows.map((row) => [row.id, toFacts(row)]))
}

export async function canCall(
  app: App,
  viewer: Member,
  { user_id }: Query<'GET can_call'>,
): Promise<Answer<'GET can_call'>> {
  const permissions = await readCallPermissions(app, app.db, viewer, [user_id])
  return permissions.get(user_id) ?? permission('not_found')
}

/** Whether this member may call each of these users now. */
export const readCallPermissions: CallPermissions = async (context, db, caller, ids) => {
  if (ids.length === 0) return new Map()
  const facts = await readCallFacts(context, db, caller, ids)
  return new Map([...facts].map(([id, one]) => [id, permission(findCallRefusal(one))]))
}

function getRole({ role, erased_at, verified_at }: UserRow): Role | null {
  if (erased_at || (role === 'girl' && verified_at === null)) return null
  return role === 'girl' || role === 'guy' ? role : null
}

function isQuiet({ clock }: AppContext, { role, quiet_hours }: UserRow): boolean {
  if (role !== 'girl') return false
  const now = clock.now()
  const quiet = quietWindow(quiet_hours as QuietHours | null, now)
  return quiet !== undefined && quiet.from_ms <= now.epochMilliseconds
}
