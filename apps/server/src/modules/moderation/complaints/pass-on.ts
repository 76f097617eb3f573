import type { Answer, Body, DeskComplaint, Query } from '@duet/protocol'
import type { App } from '../../../core/app.ts'
import type { Staff } from '../../../core/viewer.ts'
import { wireTime } from '../../../lib/clock.ts'
import { refuse } from '../../../lib/refusal.ts'
import { writeAudit } from '../../audit/index.ts'
import { checkBulk } from '../../bulk/index.ts'
import { leaveClaim, requireOtherPerson } from '../../staff/index.ts'
import { usersOfCase } from './complaint-rules.ts'
import { type ComplaintRow, lockComplaint, passComplaint } from './complaint-store.ts'

/** POST v2/manager/complaints/{id}/pass. Refuses not_found, role_forbidden, claimed, decided, bulk_stopped. */
export async function passOnDesk(
  app: App,
  staff: Staff,
  {
    id,
    note,
  }: Query<'POST v2/manager/complaints/{id}/pass'> & Body<'POST v2/manager/complaints/{id}/pass'>,
): Promise<Answer<'POST v2/manager/complaints/{id}/pass'>> {
  await app.transact(async (tx) => {
    const row = (await lockComplaint(tx, id)) ?? refuse('not_found')
    if (row.decided_at !== null) refuse('decided')
    await requireOtherPerson(tx, staff, usersOfCase(row))
    await leaveClaim(tx, staff, 'complaints', String(id))
    await checkBulk(tx, staff, 'pass')
    await passComplaint(tx, id, { note, by: staff.email })
    const facts = { complaint_id: id }
    const act = { staff, act: 'complaint_pass', user_id: row.accused_id, facts } as const
    await writeAudit(tx, { ...act, reason: note })
  })
  return {}
}

/** A passed complaint, and one about a minor, wait for a manager. */
export function isForManagers({
  reason,
  passed_at,
}: Pick<ComplaintRow, 'reason' | 'passed_at'>): boolean {
  return reason === 'child' || passed_at !== null
}

export function passedView({
  passed_by,
  passed_note,
  passed_at,
}: ComplaintRow): DeskComplaint['passed'] {
  return passed_at && { by: passed_by!, note: passed_note!, at: wireTime(passed_at) }
}
