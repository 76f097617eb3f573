import type { App } from '../../core/app.ts'
import type { Db } from '../../core/db.ts'
import type { Staff } from '../../core/viewer.ts'
import { readDecisions } from '../audit/index.ts'
import { setting } from '../settings/index.ts'
import { countLoad } from './load-rules.ts'

const SHIFT_HOURS = 12
/** The newest decisions that are read of a shift. */
const DECISIONS_MAX = 2_000

/** Whether severe cases are left to others for now. Managers and owners still get what a moderator has had enough of. */
export async function isLimited(app: App, staff: Staff, db: Db = app.db): Promise<boolean> {
  return staff.staff_role === 'moderator' && (await readLoad(app, staff, db)).is_limited
}

/** How much a member of staff has decided: severe cases are shared, and long work without a break is seen. */
export async function readLoad(app: App, { id: staff_id }: Staff, db: Db = app.db) {
  const now = app.clock.now()
  const from = now.subtract({ hours: SHIFT_HOURS })
  const found = await readDecisions(db, { staff_id, from }, DECISIONS_MAX)
  const decisions = found.map(({ at, load }) => ({ at, is_severe: load === 'severe' }))
  return countLoad(decisions, now, {
    severe_hour_max: setting(app, 'severe_cases_hour_max'),
    severe_shift_max: setting(app, 'severe_cases_shift_max'),
    break_minutes: setting(app, 'staff_break_minutes'),
  })
}
