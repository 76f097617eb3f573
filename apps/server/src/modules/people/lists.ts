import type { Answer, Body, PersonCall, Query } from '@duet/protocol'
import type { App } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { Staff } from '../../core/viewer.ts'
import { wireTime } from '../../lib/clock.ts'
import { type Asset, toWire } from '../../lib/money.ts'
import { offsetAndLimit, paginate } from '../../lib/paging/pagination.ts'
import { refuse } from '../../lib/refusal.ts'
import { writeAudit } from '../audit/index.ts'
import { callsOfUser } from '../calls/index.ts'
import { userById } from '../identity/index.ts'
import { movementsOfUser } from '../ledger/index.ts'
import { dialogsOfUser, linesBetween } from '../messenger/index.ts'
import { readDeskPeople, requireOtherPerson } from '../staff/index.ts'

/** Messages of a dialog that one look shows. */
const LINES_MAX = 50

interface Opened {
  readonly id: UserId
  readonly page: number
}

/** The user is there. Every page of a list is recorded before it is read. */
async function beginLook(
  app: App,
  staff: Staff,
  { id: user_id, page }: Opened,
  list: 'calls' | 'movements' | 'dialogs',
): Promise<void> {
  if (!(await userById(app.db, user_id))) refuse('not_found')
  await app.transact((tx) =>
    writeAudit(tx, { staff, act: 'user_view', user_id, facts: { list, page } }),
  )
}

/** GET v2/manager/users/{id}/calls. Refuses not_found. */
export async function callsPage(
  app: App,
  staff: Staff,
  request: Query<'GET v2/manager/users/{id}/calls'>,
): Promise<Answer<'GET v2/manager/users/{id}/calls'>> {
  await beginLook(app, staff, request, 'calls')
  const rows = await callsOfUser(app.db, request.id, offsetAndLimit(request))
  const person = await readDeskPeople(
    app.db,
    rows.map(({ partner_id }) => partner_id),
  )
  const items = rows.map((row) => ({
    session_id: row.session_id,
    partner: person(row.partner_id),
    kind: row.kind as PersonCall['kind'],
    is_private: row.state === 'private',
    opened_at: wireTime(row.opened_at),
    closed_at: row.closed_at && wireTime(row.closed_at),
    reason: row.reason,
    paid_seconds: row.paid_seconds,
  }))
  return paginate(request, items)
}

/** GET v2/manager/users/{id}/movements. Refuses not_found. */
export async function movementsPage(
  app: App,
  staff: Staff,
  request: Query<'GET v2/manager/users/{id}/movements'>,
): Promise<Answer<'GET v2/manager/users/{id}/movements'>> {
  await beginLook(app, staff, request, 'movements')
  const rows = await movementsOfUser(app.db, request.id, offsetAndLimit(request))
  const items = rows.map(({ id, at, asset, amount, direction, what, cause, cause_id, note }) => ({
    id,
    at: wireTime(at),
    asset,
    amount: `${direction === 'out' ? '-' : ''}${toWire(asset as Asset, amount)}`,
    purpose: what,
    cause,
    cause_id,
    note,
  }))
  return paginate(request, items)
}

/** GET v2/manager/users/{id}/dialogs. Refuses not_found. */
export async function dialogsPage(
  app: App,
  staff: Staff,
  request: Query<'GET v2/manager/users/{id}/dialogs'>,
): Promise<Answer<'GET v2/manager/users/{id}/dialogs'>> {
  await beginLook(app, staff, request, 'dialogs')
  const rows = await dialogsOfUser(app.db, request.id, offsetAndLimit(request))
  const person = await readDeskPeople(
    app.db,
    rows.map(({ partner_id }) => partner_id),
  )
  const items = rows.map(({ partner_id, messages, last_at }) => ({
    partner: person(partner_id),
    messages,
    last_at: wireTime(last_at),
  }))
  return paginate(request, items)
}

/** POST v2/manager/users/{id}/dialogs/{partner}. The look is recorded before anything is read. Refuses not_found, role_forbidden. */
export async function openDialog(
  app: App,
  staff: Staff,
  {
    id,
    partner,
    reason,
    before,
  }: Query<'POST v2/manager/users/{id}/dialogs/{partner}'> &
    Body<'POST v2/manager/users/{id}/dialogs/{partner}'>,
): Promise<Answer<'POST v2/manager/users/{id}/dialogs/{partner}'>> {
  await app.transact(async (tx) => {
    await requireOtherPerson(tx, staff, [id, partner])
    await writeAudit(tx, { staff, act: 'dialog_view', user_id: id, reason, facts: { partner } })
  })
  const rows = await linesBetween(app.db, [id, partner], { before, limit: LINES_MAX + 1 })
  if (!rows) refuse('not_found')
  return {
    more: rows.length > LINES_MAX,
    lines: rows
      .slice(0, LINES_MAX)
      .toReversed()
      .map(({ id: line, sender_id, type, text, create_time, is_masked, is_removed }) => ({
        id: line,
        sender_id,
        kind: type,
        text,
        at: wireTime(create_time),
        is_masked,
        is_removed,
      })),
  }
}
