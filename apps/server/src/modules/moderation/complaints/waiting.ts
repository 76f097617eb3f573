import { sql } from 'kysely'
import type { App } from '../../../core/app.ts'
import type { Db } from '../../../core/db.ts'
import { IS_SERIOUS } from './complaint-store.ts'

/** A serious complaint waits no longer than this for a person. */
const SERIOUS_MINUTES_MAX = 15

interface Waiting {
  readonly complaints_waiting: number
  readonly serious_waiting: number
  /** Serious complaints that have waited for too long. */
  readonly overdue: number
}

/** For `duet doctor`: the complaints that wait for a decision. */
export async function waitingDiagnosis(db: Db, now: Temporal.Instant): Promise<Waiting> {
  const before = now.subtract({ minutes: SERIOUS_MINUTES_MAX })
  const { rows } = await sql<Waiting>`
    select count(*)::integer as complaints_waiting,
      (count(*) filter (where ${IS_SERIOUS}))::integer as serious_waiting,
      (count(*) filter (where ${IS_SERIOUS} and at < ${before}))::integer as overdue
    from complaints where decided_at is null`.execute(db)
  return rows[0]!
}

export async function warnOfWaiting(app: App): Promise<void> {
  const { overdue } = await waitingDiagnosis(app.db, app.clock.now())
  if (overdue > 0)
    app.log.error({ overdue }, 'serious complaints wait for a decision: duet complaints list')
}
