import { sql } from 'kysely'
import { FALLBACK_LOCALE } from '@duet/protocol/kernel/locales.ts'
import type { App } from '../../../core/app.ts'
import type { Db } from '../../../core/db.ts'
import { enqueueMail } from '../../mail/index.ts'
import { readMembers } from '../../staff/index.ts'
import { IS_SERIOUS, markAlarmed } from './complaint-store.ts'

/** A serious complaint waits no longer than this for a person. */
const SERIOUS_MINUTES_MAX = 15
const ALARM_AGAIN_HOURS = 1
const ALARMED_MAX = 500
export const ALARM = 'serious_complaint_waits'

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
      (count(*) filter (where ${IS_SERIOUS} and at <= ${before}))::integer as overdue
    from complaints where decided_at is null`.execute(db)
  return rows[0]!
}

/**
 * Raises one alarm for the serious complaints that have waited for too long, and again each hour. Mails and the webhook are
 * work of the outbox: this job needs neither service.
 */
export async function raiseAlarm(app: App): Promise<void> {
  const ids = await app.transact(async (tx) => {
    const before = tx.now.subtract({ minutes: SERIOUS_MINUTES_MAX })
    const again = tx.now.subtract({ hours: ALARM_AGAIN_HOURS })
    const overdue = await markAlarmed(tx, { before, again, limit: ALARMED_MAX })
    if (overdue.length === 0) return overdue
    const key = `alarm:${overdue[0]}:${tx.now.epochMilliseconds}`
    for (const { id, email, role } of await readMembers(tx)) {
      if (role !== 'manager' && role !== 'owner') continue
      await enqueueMail(tx, {
        to: email,
        locale: FALLBACK_LOCALE,
        template: 'staff_alarm',
        values: { count: overdue.length, link: '/office/' },
        key: `${key}:${id}`,
      })
    }
    if (app.alarms) await tx.enqueue(ALARM, { complaint_ids: overdue }, key)
    return overdue
  })
  if (ids.length === 0) return
  app.metrics.alarms.inc({ kind: ALARM }, ids.length)
  app.log.error(
    { complaint_ids: ids },
    'serious complaints wait for a decision: duet complaints list',
  )
}

/** Work of the outbox. */
export async function sendAlarm(
  app: App,
  { complaint_ids }: { readonly complaint_ids: readonly number[] },
): Promise<void> {
  const text = `Duet: ${complaint_ids.length} serious complaints wait for longer than ${SERIOUS_MINUTES_MAX} minutes.`
  await app.alarms?.send({ text, kind: ALARM, complaint_ids })
}
