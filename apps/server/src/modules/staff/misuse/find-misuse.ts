import type { AuditAct } from '@duet/protocol/kernel/audit-acts.ts'
import type { Answer } from '@duet/protocol'
import type { StaffAlarmPattern } from '@duet/protocol/contracts/staff.ts'
import { FALLBACK_LOCALE } from '@duet/protocol/kernel/locales.ts'
import type { App } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import { productDay, wireTime } from '../../../lib/clock.ts'
import { readActs } from '../../audit/index.ts'
import { enqueueMail } from '../../mail/index.ts'
import { setting } from '../../settings/index.ts'
import { linkedToMember } from '../own-accounts.ts'
import { type MemberRow, readMembers } from '../store.ts'
import { mostItems } from './misuse-rules.ts'
import { insertAlarm, readAlarms, usersOfCases } from './misuse-store.ts'

/** The job runs more often than the window is long, so that it sees each window as a whole. */
const READ_MINUTES = 90
const WINDOW_MS = 3_600_000
/** A case of a user explains looks for as long. */
const CASE_HOURS = 24
const LOOKS_MAX = 5_000
const LISTED_MAX = 50

/** Looks that need a case. The wall shows calls without a case. */
const CASE_LOOKS: readonly AuditAct[] = [
  'appeal_view',
  'complaint_view',
  'dialog_view',
  'documents_view',
  'findings_view',
  'masked_texts_view',
  'seal_view',
]
const ALL_LOOKS: readonly AuditAct[] = [
  ...CASE_LOOKS,
  'call_view',
  'frames_view',
  'media_view',
  'user_view',
]

interface ReadLook {
  readonly at: Temporal.Instant
  readonly act: string
  readonly user_id: UserId | null
  readonly facts: unknown
}

/** Tells the owners, once a day for each pattern of a member, which looks of staff no case explains. */
export async function findMisuse(app: App): Promise<void> {
  for (const member of await readMembers(app.db)) await checkMember(app, member)
}

async function checkMember(app: App, member: MemberRow): Promise<void> {
  const from = app.clock.now().subtract({ minutes: READ_MINUTES })
  const search = { staff_id: member.id, acts: ALL_LOOKS, from }
  const looks = (await readActs(app.db, search, LOOKS_MAX)).toReversed()
  if (looks.length === 0) return
  const without = await countWithoutCase(app, member, looks)
  if (without >= setting(app, 'staff_looks_without_case_max'))
    await raise(app, member, 'looks_without_case', without)
  const seen = new Set(looks.flatMap(lookedAt))
  const linked = await linkedToMember(app.db, member, [...seen])
  if (linked.length >= setting(app, 'staff_linked_looks_max'))
    await raise(app, member, 'linked_accounts', linked.length)
}

async function countWithoutCase(
  app: App,
  { id }: MemberRow,
  looks: readonly ReadLook[],
): Promise<number> {
  const since = app.clock.now().subtract({ hours: CASE_HOURS })
  const own = await usersOfCases(app.db, id, since)
  const without = looks.filter(
    (look) => needsCase(look) && !lookedAt(look).some((user_id) => own.has(user_id)),
  )
  const items = without.map(({ at, act, user_id, facts }) => ({
    at_ms: at.epochMilliseconds,
    item: `${act} ${user_id} ${JSON.stringify(facts)}`,
  }))
  return mostItems(items, WINDOW_MS)
}

/** The queue of pictures shows many before a claim; those on the page of a user are looked at one by one. */
function needsCase({ act, facts }: ReadLook): boolean {
  if (act === 'media_view') return (facts as { place?: unknown }).place === 'person'
  return (CASE_LOOKS as readonly string[]).includes(act)
}

function lookedAt({ user_id, facts }: ReadLook): UserId[] {
  const { partner } = facts as { partner?: UserId }
  return [user_id, partner].filter((each) => each !== null && each !== undefined)
}

async function raise(
  app: App,
  member: MemberRow,
  pattern: StaffAlarmPattern,
  looks: number,
): Promise<void> {
  const { id: staff_id, email } = member
  const isNew = await app.transact(async (tx) => {
    const day = productDay(tx.now)
    if (!(await insertAlarm(tx, { staff_id, pattern, day, looks }))) return false
    const owners = (await readMembers(tx)).filter(({ role }) => role === 'owner')
    for (const owner of owners)
      await enqueueMail(tx, {
        to: owner.email,
        locale: FALLBACK_LOCALE,
        template: `staff_${pattern}`,
        values: { person: email, count: looks, link: '/office/stopped' },
        key: `staff alarm:${pattern}:${staff_id}:${day.toString()}:${owner.id}`,
      })
    return true
  })
  if (!isNew) return
  app.metrics.alarms.inc({ kind: `staff_${pattern}`, contact: 'no' })
  app.log.error({ staff_id, pattern, looks }, 'looks of staff that no case explains')
}

/** GET v2/manager/staff-alarms. */
export async function listAlarms(app: App): Promise<Answer<'GET v2/manager/staff-alarms'>> {
  const rows = await readAlarms(app.db, LISTED_MAX)
  return {
    alarms: rows.map(({ alarm_id, staff_id, email, pattern, looks, at }) => ({
      id: alarm_id,
      staff_id,
      person: email,
      pattern: pattern as StaffAlarmPattern,
      looks,
      at: wireTime(at),
    })),
  }
}
