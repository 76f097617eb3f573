import type { StaffAlarmPattern } from '@duet/protocol/contracts/staff.ts'
import { sql } from 'kysely'
import type { Tx } from '../../../core/app.ts'
import type { Db } from '../../../core/db.ts'
import type { UserId } from '../../../core/ids.ts'

/** The member has a case of these users now. */
export async function recordCase(
  tx: Tx,
  staff_id: number,
  users: readonly UserId[],
): Promise<void> {
  if (users.length === 0) return
  await tx
    .insertInto('staff_case_users')
    .values([...new Set(users)].map((user_id) => ({ staff_id, user_id, at: tx.now })))
    .onConflict((conflict) => conflict.columns(['staff_id', 'user_id']).doUpdateSet({ at: tx.now }))
    .execute()
}

/** The users whose cases the member has claimed since then. */
export async function usersOfCases(
  db: Db,
  staff_id: number,
  since: Temporal.Instant,
): Promise<ReadonlySet<UserId>> {
  const rows = await db
    .selectFrom('staff_case_users')
    .select('user_id')
    .where('staff_id', '=', staff_id)
    .where('at', '>=', since)
    .execute()
  return new Set(rows.map(({ user_id }) => user_id))
}

export interface NewStaffAlarm {
  readonly staff_id: number
  readonly pattern: StaffAlarmPattern
  readonly day: Temporal.PlainDate
  readonly looks: number
}

/** False if this pattern of the member was reported on this day already. */
export async function insertAlarm(tx: Tx, alarm: NewStaffAlarm): Promise<boolean> {
  const { staff_id, pattern, day, looks } = alarm
  const { numAffectedRows = 0n } = await sql`
    insert into staff_alarms (staff_id, pattern, day, looks, at)
    values (${staff_id}, ${pattern}, ${day.toString()}::date, ${looks}, ${tx.now})
    on conflict do nothing`.execute(tx)
  return numAffectedRows > 0n
}

/** The newest first. */
export function readAlarms(db: Db, limit: number) {
  return db
    .selectFrom('staff_alarms as alarm')
    .innerJoin('staff_members as member', 'member.id', 'alarm.staff_id')
    .select(['alarm.alarm_id', 'alarm.staff_id', 'alarm.pattern', 'alarm.looks', 'alarm.at'])
    .select('member.email')
    .orderBy('alarm.alarm_id', 'desc')
    .limit(limit)
    .execute()
}
