import type { Answer, Body, Payload, Query } from '@duet/protocol'
import type { Penalty } from '@duet/protocol/contracts/moderation.ts'
import type { App } from '../../../core/app.ts'
import type { Db } from '../../../core/db.ts'
import type { RequestContext } from '../../../core/request-context.ts'
import type { UserId } from '../../../core/ids.ts'
import type { Member, Staff } from '../../../core/viewer.ts'
import { wireTime } from '../../../lib/clock.ts'
import { toWire } from '../../../lib/money.ts'
import { offsetAndLimit, paginate } from '../../../lib/paging/pagination.ts'
import { writeAudit } from '../../audit/index.ts'
import { checkBulk } from '../../bulk/index.ts'
import { requireOtherPerson } from '../../staff/index.ts'
import { refuseClosedCase } from '../complaints/named-case.ts'
import { readGrounds } from '../sanctions/grounds.ts'
import { permittedAmount } from './permitted-amount.ts'
import { imposePenalty } from './impose-penalty.ts'
import { countPenalties, markAllRead, penaltiesByIds, readPenalties } from './penalty-store.ts'

declare module '../../../core/stored-change.ts' {
  interface StoredChanges {
    penalty: { readonly statement_id: number }
  }
}

type ShownRow = Awaited<ReturnType<typeof readPenalties>>[number]

/** Of these decisions, those whose user learns the reason only. */
async function closedStatements(db: Db, rows: readonly ShownRow[]): Promise<ReadonlySet<number>> {
  const ids = rows.map(({ statement_id }) => statement_id)
  const grounds = await readGrounds(db, ids)
  return new Set(grounds.flatMap((one) => (one.is_closed ? [one.statement_id] : [])))
}

function shownFacts(row: ShownRow, closed: ReadonlySet<number>) {
  const { statement_id, reason, place, comment, amount } = row
  const picture_id = closed.has(statement_id) ? null : row.picture_id
  return {
    id: statement_id,
    statement_id,
    reason: reason as Penalty['reason'],
    place: place as Penalty['place'],
    comment,
    screenshot: picture_id && `/api/statements/${statement_id}/evidence/screenshot`,
    amount: toWire('coin', amount),
  }
}

/** GET penalties. */
export async function penaltiesPage(
  app: App,
  viewer: Member,
  request: Query<'GET penalties'>,
): Promise<Answer<'GET penalties'>> {
  const rows = await readPenalties(app.db, viewer.id, offsetAndLimit(request))
  const closed = await closedStatements(app.db, rows)
  const penalties = rows.map((row) => ({
    ...shownFacts(row, closed),
    read: row.read_at !== null,
    create_time: wireTime(row.at),
    ...(row.returned_at && { refunded_at: wireTime(row.returned_at) }),
  }))
  return paginate(request, penalties)
}

/** POST v2/penalty/mark-all-as-read. Repeating it changes nothing. */
export async function readAllPenalties(
  app: App,
  viewer: Member,
): Promise<Answer<'POST v2/penalty/mark-all-as-read'>> {
  await app.transact((tx) => markAllRead(tx, viewer.id))
  return {}
}

/** How a stored `penalty` is shown to its girl. */
export async function renderPenalties(
  db: Db,
  viewerId: UserId,
  stored: readonly { readonly statement_id: number }[],
): Promise<readonly Payload<'penalty'>[]> {
  const rows = await penaltiesByIds(
    db,
    stored.map(({ statement_id }) => statement_id),
  )
  const total_penalties = await countPenalties(db, viewerId)
  const closed = await closedStatements(db, rows)
  const byId = new Map(rows.map((row) => [row.statement_id, row]))
  return stored.map(({ statement_id }) => {
    const row = byId.get(statement_id)!
    const isOpen = total_penalties === 1 && row.returned_at === null
    const until = isOpen ? row.refundable_until : null
    return {
      ...shownFacts(row, closed),
      total_penalties,
      refundable: until !== null,
      ...(until && { refundable_until: wireTime(until) }),
    }
  })
}

/** POST v2/manager/penalty/impose. Refuses not_found, role_forbidden, bulk_stopped, invalid. */
export async function imposeByStaff(
  app: App,
  staff: Staff,
  {
    user_id,
    reason,
    place,
    amount,
    comment,
    screenshot,
    complaint_id,
    session_id,
  }: Body<'POST v2/manager/penalty/impose'>,
  context: RequestContext,
): Promise<Answer<'POST v2/manager/penalty/impose'>> {
  const units = permittedAmount(app, staff, amount)
  return app.transact(async (tx) => {
    await requireOtherPerson(tx, staff, [user_id])
    if (complaint_id) await refuseClosedCase(tx, { complaint_id, user_id })
    await checkBulk(tx, staff, 'penalty')
    const given = {
      user_id,
      reason,
      place,
      amount: units,
      comment,
      screenshot,
      session_id,
      by: staff.email,
    }
    const statement_id = await imposePenalty(tx, given)
    await writeAudit(tx, {
      staff,
      act: 'penalty_impose',
      user_id,
      reason,
      words: comment,
      facts: {
        statement_id,
        amount,
        ...(screenshot && { screenshot }),
        ...(complaint_id && { complaint_id }),
        ...(session_id && { session_id }),
      },
    })
    const answer = { statement_id }
    return context.storeAnswer ? context.storeAnswer(tx, answer) : answer
  })
}
