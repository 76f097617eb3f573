import type { Answer, Body, PersonCall, Query } from '@duet/protocol'
import type { App } from '../../core/app.ts'
import type { Staff } from '../../core/viewer.ts'
import { wireTime } from '../../lib/clock.ts'
import { offsetAndLimit, paginate } from '../../lib/paging/pagination.ts'
import { refuse } from '../../lib/refusal.ts'
import { writeAudit } from '../audit/index.ts'
import { callsOfUser } from '../calls/index.ts'
import { dialogsOfUser, linesBetween } from '../messenger/index.ts'
import { readDeskPeople, requireOtherPerson } from '../staff/index.ts'
import { beginLook } from './begin-look.ts'

/** Messages of a dialog that one look shows. */
const LINES_MAX = 50

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
