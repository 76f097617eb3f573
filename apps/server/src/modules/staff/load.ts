import type { PhotoVerdict } from '@duet/protocol/kernel/sanctions.ts'
import type { AuditAct } from '@duet/protocol/kernel/audit-acts.ts'
import type { App } from '../../core/app.ts'
import type { Staff } from '../../core/viewer.ts'
import { readActs } from '../audit/index.ts'
import { setting } from '../settings/index.ts'
import { countLoad } from './load-rules.ts'

const SHIFT_HOURS = 12
/** The newest decisions that are read of a shift. */
const DECISIONS_MAX = 2_000
const DECISIONS: readonly AuditAct[] = [
  'appeal_decide',
  'complaint_decide',
  'findings_decide',
  'identity_approve',
  'identity_decline',
  'masked_texts_decide',
  'masked_texts_done',
  'media_approve',
  'media_remove',
  'report_decide',
]
/** The verdicts on pictures that are severe. */
const SEVERE_VERDICTS: ReadonlySet<string> = new Set<PhotoVerdict>([
  'nudity',
  'minor',
  'known_image',
  'intimate_image',
])

/** Whether severe cases are left to others for now. Managers and owners still get what a moderator has had enough of. */
export async function isLimited(app: App, staff: Staff): Promise<boolean> {
  return staff.staff_role === 'moderator' && (await readLoad(app, staff)).is_limited
}

/** How much a member of staff has decided: severe cases are shared, and long work without a break is seen. */
export async function readLoad(app: App, { id: staff_id }: Staff) {
  const now = app.clock.now()
  const from = now.subtract({ hours: SHIFT_HOURS })
  const acts = await readActs(app.db, { staff_id, acts: DECISIONS, from }, DECISIONS_MAX)
  const decisions = acts.map(({ at, act, reason, facts }) => ({
    at,
    is_severe:
      (facts as { severe?: unknown }).severe === true ||
      (act === 'media_remove' && SEVERE_VERDICTS.has(reason)),
  }))
  return countLoad(decisions, now, {
    severe_hour_max: setting(app, 'severe_cases_hour_max'),
    severe_shift_max: setting(app, 'severe_cases_shift_max'),
    break_minutes: setting(app, 'staff_break_minutes'),
  })
}
