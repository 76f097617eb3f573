import type { BulkKind } from '@duet/protocol/contracts/bulk.ts'
import type { Tx } from '../../core/app.ts'
import type { Staff } from '../../core/viewer.ts'
import { refuse } from '../../lib/refusal.ts'
import { type Actor, writeAudit } from '../audit/index.ts'
import { setting } from '../settings/index.ts'
import { requireIndependent } from '../staff/index.ts'
import {
  countActs,
  endStop,
  insertAct,
  insertStop,
  isStopped,
  lockActs,
  lockStop,
} from './store.ts'

const LIMITS = {
  ban: 'bulk_bans_max',
  penalty: 'bulk_penalties_max',
  removal: 'bulk_removals_max',
  money: 'bulk_money_acts_max',
  warning: 'bulk_warnings_max',
  lift: 'bulk_lifts_max',
  dismissal: 'bulk_dismissals_max',
  approval: 'bulk_approvals_max',
  verification: 'bulk_verifications_max',
  pass: 'bulk_passes_max',
} as const satisfies Record<BulkKind, string>

/** At the shell a name is free text, so all names there count as one person. */
const SHELL = 'operator'
const nameActor = (staff: Actor): string => ('id' in staff ? `staff ${staff.id}` : SHELL)

/**
 * Call it in the transaction of every act of these kinds. The last act that is allowed stops the person, and each further one
 * is refused until a second person allows more. Refuses bulk_stopped.
 */
export async function checkBulk(tx: Tx, staff: Actor, kind: BulkKind): Promise<void> {
  const actor = nameActor(staff)
  await lockActs(tx, actor, kind)
  if (await isStopped(tx, actor, kind)) refuse('bulk_stopped')
  await insertAct(tx, actor, kind)
  const minutes = setting(tx.app, 'bulk_window_minutes')
  const acts = await countActs(tx, actor, kind, tx.now.subtract({ minutes }))
  if (acts < setting(tx.app, LIMITS[kind])) return
  await insertStop(tx, { actor, staff_id: 'id' in staff ? staff.id : null, kind, acts })
  await writeAudit(tx, { staff, act: 'bulk_stop', facts: { kind, acts } })
  tx.afterCommit(() => tx.app.log.error({ actor, kind, acts }, 'bulk acts of staff were stopped'))
}

/**
 * Another person allows the same number again, with a session of the office, which proves who it is. Refuses not_found,
 * role_forbidden for oneself, decided.
 */
export async function allowMore(
  tx: Tx,
  staff: Staff,
  { stop_id, reason }: { readonly stop_id: number; readonly reason: string },
): Promise<void> {
  const stop = (await lockStop(tx, stop_id)) ?? refuse('not_found')
  const by = nameActor(staff)
  if (stop.actor === by) refuse('role_forbidden')
  await requireIndependent(tx, staff, stop.actor)
  if (stop.allowed_at) refuse('decided')
  await endStop(tx, stop_id, by)
  const facts = { stop_id, actor: stop.actor, kind: stop.kind }
  await writeAudit(tx, { staff, act: 'bulk_allow', reason, facts })
}
