import type { App } from '../../core/app.ts'
import { ALARM_EVERY_MINUTES, tellBosses } from '../moderation/index.ts'
import { markShownAlarmed } from './store.ts'

export const PICTURE_ALARM = 'reported_picture_shown'
const SHOWN_MINUTES_MAX = 30
const AGAIN_HOURS = 1
const ALARMED_MAX = 500

/**
 * Raises one alarm for the reported intimate pictures that are shown still, and again each hour: only a person may hide
 * them, because anybody could take the portraits of others away otherwise.
 */
export async function raisePictureAlarms(app: App): Promise<void> {
  const ids = await app.transact(async (tx) => {
    const before = tx.now.subtract({ minutes: SHOWN_MINUTES_MAX })
    const again = tx.now.subtract({ hours: AGAIN_HOURS })
    const quiet = tx.now.subtract({ minutes: ALARM_EVERY_MINUTES })
    const shown = await markShownAlarmed(tx, { before, again, quiet, limit: ALARMED_MAX })
    if (shown.length === 0) return shown
    const key = `shown pictures:${shown[0]}:${tx.now.epochMilliseconds}`
    await tellBosses(tx, {
      count: shown.length,
      template: 'staff_picture_reports',
      link: '/office/reports',
      key,
      is_pushed: true,
    })
    if (app.alarms) await tx.enqueue(PICTURE_ALARM, { report_ids: shown }, key)
    return shown
  })
  if (ids.length === 0) return
  app.metrics.alarms.inc({ kind: PICTURE_ALARM, contact: 'no' }, ids.length)
  app.log.error({ report_ids: ids }, 'reported intimate pictures are shown: duet report list')
}

/** Work of the outbox. */
export async function sendPictureAlarm(
  app: App,
  { report_ids }: { readonly report_ids: readonly number[] },
): Promise<void> {
  const text = `Duet: the pictures of ${report_ids.length} reports are shown for longer than ${SHOWN_MINUTES_MAX} minutes.`
  await app.alarms?.send({ text, kind: PICTURE_ALARM, complaint_ids: [], report_ids })
}
