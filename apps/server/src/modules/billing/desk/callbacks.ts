import type { Answer, Body, CallbackLine, KeptCallback, Query } from '@duet/protocol'
import type { App } from '../../../core/app.ts'
import type { Db } from '../../../core/db.ts'
import type { UserId } from '../../../core/ids.ts'
import type { Staff } from '../../../core/viewer.ts'
import { wireTime } from '../../../lib/clock.ts'
import { refuse } from '../../../lib/refusal.ts'
import { writeAudit } from '../../audit/index.ts'
import { endClaim, readDeskPeople, requireOtherPerson } from '../../staff/index.ts'
import { settleCallbacks } from '../store.ts'
import { type CallbackRow, findCallback, pageOfCallbacks } from './desk-queries.ts'
import { maskSecrets } from './mask-secrets.ts'

type Person = Awaited<ReturnType<typeof readDeskPeople>>

function showLine(row: CallbackRow, person: Person): CallbackLine {
  const { settled_at, settled_by, settled_why } = row
  return {
    id: row.callback_id,
    method: row.method,
    verdict: row.verdict,
    why: row.why,
    order_id: row.order_id,
    user: row.user_id === null ? null : person(row.user_id),
    at: wireTime(row.received_at),
    settled: settled_at && { by: settled_by!, why: settled_why!, at: wireTime(settled_at) },
  }
}

/** A callback as it arrived, with its secrets masked. */
export function showCallback(row: CallbackRow, person: Person): KeptCallback {
  const { address, request_method, query, headers, body } = row
  return Object.assign(showLine(row, person), {
    address,
    request_method,
    query: maskSecrets(query),
    headers: maskSecrets(JSON.stringify(headers)),
    body: maskSecrets(body.toString('utf8')),
  })
}

/** GET v2/manager/callbacks: one more than the page tells whether there are others. */
export async function listCallbacks(
  app: App,
  _staff: Staff,
  { before, verdict, 'per-page': limit }: Query<'GET v2/manager/callbacks'>,
): Promise<Answer<'GET v2/manager/callbacks'>> {
  const rows = await pageOfCallbacks(app.db, verdict, { before, limit: limit + 1 })
  const shown = rows.slice(0, limit)
  const person = await readDeskPeople(
    app.db,
    shown.flatMap(({ user_id }) => user_id ?? []),
  )
  return { items: shown.map((row) => showLine(row, person)), next: rows.length > limit }
}

/** GET v2/manager/callbacks/{id}. The look is recorded before anything is read. Refuses not_found. */
export async function readCallback(
  app: App,
  staff: Staff,
  { id: callback_id }: Query<'GET v2/manager/callbacks/{id}'>,
): Promise<Answer<'GET v2/manager/callbacks/{id}'>> {
  const row = (await findCallback(app.db, callback_id)) ?? refuse('not_found')
  const { user_id } = row
  await app.transact((tx) =>
    writeAudit(tx, { staff, act: 'callback_view', user_id, facts: { callback_id } }),
  )
  return showCallback(row, await readDeskPeople(app.db, user_id === null ? [] : [user_id]))
}

/** POST v2/manager/callbacks/{id}/decide. Refuses not_found, role_forbidden, claimed, decided. */
export async function settleCallback(
  app: App,
  staff: Staff,
  {
    id: callback_id,
    reason,
  }: Query<'POST v2/manager/callbacks/{id}/decide'> & Body<'POST v2/manager/callbacks/{id}/decide'>,
): Promise<Answer<'POST v2/manager/callbacks/{id}/decide'>> {
  await app.transact(async (tx) => {
    const { user_id } = (await findCallback(tx, callback_id)) ?? refuse('not_found')
    await requireOtherPerson(tx, staff, user_id === null ? [] : [user_id])
    await endClaim(tx, staff, 'callbacks', String(callback_id))
    const settled = await settleCallbacks(tx, { callback_id }, { by: staff.email, why: reason })
    if (settled === 0) refuse('decided')
    const facts = { callback_id }
    await writeAudit(tx, { staff, act: 'callback_settle', user_id, reason, facts })
  })
  return {}
}

/** The buyer of a refused callback that waits, if it names an order. */
export async function buyerOfRefused(db: Db, callback_id: number): Promise<UserId[] | undefined> {
  const row = await findCallback(db, callback_id)
  if (row?.verdict !== 'refused' || row.settled_at !== null) return undefined
  return row.user_id === null ? [] : [row.user_id]
}
