import type { App } from '../../core/app.ts'
import { ALARM_EVERY_MINUTES, SERIOUS_MINUTES_MAX, tellBosses } from '../moderation/index.ts'
import { markAlarmed } from './store.ts'

export const CHILD_ALARM = 'child_report_waits'
const AGAIN_HOURS = 1
const ALARMED_MAX = 500

/**
 * Raises one alarm for all reports about children that have waited for too long, and again each hour. A report by itself
 * suspends no account, because anybody can send one: the alarm brings a person who looks. For the same reason reports that
 * come after an alarm wait for the next one.
 */
export async function raiseChildAlarms(app: App): Promise<void> {
  const ids = await app.transact(async (tx) => {
    const before = tx.now.subtract({ minutes: SERIOUS_MINUTES_MAX })
    const again = tx.now.subtract({ hours: AGAIN_HOURS })
    const quiet = tx.now.subtract({ minutes: ALARM_EVERY_MINUTES })
    const { ids: overdue, waiting } = await markAlarmed(tx, {
      before,
      again,
      quiet,
      limit: ALARMED_MAX,
    })
    if (overdue.length === 0) return overdue
    const key = `child reports:${overdue[0]}:${tx.now.epochMilliseconds}`
    await tellBosses(tx, {
      count: waiting,
      template: 'staff_child_reports',
      link: '/office/reports',
      key,
      is_pushed: true,
    })
    if (app.alarms) await tx.enqueue(CHILD_ALARM, { report_ids: overdue, waiting }, key)
    return overdue
  })
  if (ids.length === 0) return
  app.metrics.alarms.inc({ kind: CHILD_ALARM, contact: 'no' }, ids.length)
  app.log.error({ report_ids: ids }, 'reports about children wait for a decision: duet report list')
}

/** Work of the outbox. */
export async function sendChildAlarm(
  app: App,
  { report_ids, waiting }: { readonly report_ids: readonly number[]; readonly waiting: number },
): Promise<void> {
  const text = `Duet: ${waiting} reports about a child wait for longer than ${SERIOUS_MINUTES_MAX} minutes.`
  await app.alarms?.send({ text, kind: CHILD_ALARM, complaint_ids: [], report_ids })
}
