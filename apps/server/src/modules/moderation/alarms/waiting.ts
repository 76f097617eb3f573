import { sql } from 'kysely'
import { FALLBACK_LOCALE } from '@duet/protocol/kernel/locales.ts'
import type { App, Tx } from '../../../core/app.ts'
import type { Db } from '../../../core/db.ts'
import { enqueueMail } from '../../mail/index.ts'
import { serverText } from '../../../platform/texts.ts'
import { pushToStaff, readMembers } from '../../staff/index.ts'
import { markAlarmed } from './alarm-store.ts'
import { IS_SERIOUS } from '../complaints/complaint-store.ts'

/** A serious complaint waits no longer than this for a person. */
export const SERIOUS_MINUTES_MAX = 15
/** Of each kind there is one alarm in this time, however many cases come: it counts all that wait. */
export const ALARM_EVERY_MINUTES = 15
/** A guest may name any member: what strangers report is one alarm a day, so that no one switches the alarm off. */
const ALARMS = [
  {
    has_contact: true,
    again_hours: 1,
    quiet_minutes: ALARM_EVERY_MINUTES,
    template: 'staff_alarm',
  },
  { has_contact: false, again_hours: 24, quiet_minutes: 24 * 60, template: 'staff_count' },
] as const
type WaitingAlarm = (typeof ALARMS)[number]

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
 * Raises one alarm for all serious complaints that have waited for too long, and again each hour; apart from those of people
 * without any contact. Mails, push messages and the webhook are work of the outbox: this job needs neither service.
 */
export async function raiseAlarms(app: App): Promise<void> {
  for (const alarm of ALARMS) await raiseAlarm(app, alarm)
}

async function raiseAlarm(
  app: App,
  { has_contact, again_hours, quiet_minutes, template }: WaitingAlarm,
): Promise<void> {
  const ids = await app.transact(async (tx) => {
    const before = tx.now.subtract({ minutes: SERIOUS_MINUTES_MAX })
    const again = tx.now.subtract({ hours: again_hours })
    const quiet = tx.now.subtract({ minutes: quiet_minutes })
    const times = { before, again, quiet }
    const { ids: overdue, waiting } = await markAlarmed(tx, {
      ...times,
      has_contact,
      limit: ALARMED_MAX,
    })
    if (overdue.length === 0) return overdue
    const key = `alarm:${overdue[0]}:${tx.now.epochMilliseconds}`
    const link = '/office/'
    await tellBosses(tx, { count: waiting, template, link, key, is_pushed: has_contact })
    if (app.alarms) await tx.enqueue(ALARM, { complaint_ids: overdue, waiting, has_contact }, key)
    return overdue
  })
  if (ids.length === 0) return
  app.metrics.alarms.inc({ kind: ALARM, contact: has_contact ? 'yes' : 'no' }, ids.length)
  app.log[has_contact ? 'error' : 'warn'](
    { complaint_ids: ids, has_contact },
    'serious complaints wait for a decision: duet complaints list',
  )
}

interface BossAlarm {
  readonly count: number
  readonly template: 'staff_alarm' | 'staff_count' | 'staff_child_reports' | 'staff_picture_reports'
  readonly link: `/${string}`
  readonly key: string
  /** Their devices ring, too. */
  readonly is_pushed: boolean
}

/** Tells managers and owners by mail, and on their devices, that cases wait for them. */
export async function tellBosses(
  tx: Tx,
  { count, template, link, key, is_pushed }: BossAlarm,
): Promise<void> {
  const bosses = (await readMembers(tx)).filter(
    ({ role }) => role === 'manager' || role === 'owner',
  )
  for (const { id, email } of bosses)
    await enqueueMail(tx, {
      to: email,
      locale: FALLBACK_LOCALE,
      template,
      values: { count, link },
      key: `${key}:${id}`,
    })
  if (!is_pushed) return
  const body = serverText(FALLBACK_LOCALE, 'mail', `mail.${template}.subject`, { count })
  await pushToStaff(
    tx,
    bosses.map(({ id }) => id),
    { body, key },
  )
}

/** Work of the outbox. */
export async function sendAlarm(
  app: App,
  {
    complaint_ids,
    waiting,
    has_contact,
  }: {
    readonly complaint_ids: readonly number[]
    readonly waiting: number
    readonly has_contact: boolean
  },
): Promise<void> {
  const text = has_contact
    ? `Duet: ${waiting} serious complaints wait for longer than ${SERIOUS_MINUTES_MAX} minutes.`
    : `Duet: ${waiting} complaints about minors by people without any contact wait; this is told once a day.`
  await app.alarms?.send({ text, kind: ALARM, complaint_ids })
}
