import { sql } from 'kysely'
import type { Answer, Query, StaffStatement } from '@duet/protocol'
import type { App } from '../../../core/app.ts'
import type { Db } from '../../../core/db.ts'
import type { UserId } from '../../../core/ids.ts'
import type { Staff } from '../../../core/viewer.ts'
import { wireTime } from '../../../lib/clock.ts'
import { toWire } from '../../../lib/money.ts'
import { setting } from '../../settings/index.ts'
import { ownAccount, readDeskPeople, requireNotOwn } from '../../staff/index.ts'

type Filters = Query<'GET v2/manager/statements'>

/** GET v2/manager/statements. One row more than a page is read: it says whether another page follows. Refuses role_forbidden for oneself. */
export async function statementsForStaff(
  app: App,
  staff: Staff,
  request: Filters,
): Promise<Answer<'GET v2/manager/statements'>> {
  const limit = request['per-page']
  if (request.user_id !== undefined) await requireNotOwn(app.db, staff, [request.user_id])
  const own = await ownAccount(app.db, staff)
  const rows = await readStatements(app.db, { ...request, own }, limit + 1)
  const shown = rows.slice(0, limit)
  const person = await readDeskPeople(
    app.db,
    shown.map(({ user_id }) => user_id),
  )
  const items = shown.map((row): StaffStatement => {
    const ended = row.ended_at ?? row.returned_at ?? row.taken_back_at
    return {
      id: row.statement_id,
      user: person(row.user_id),
      kind: row.kind as StaffStatement['kind'],
      reason: row.reason,
      comment: row.comment,
      at: wireTime(row.at),
      until: row.until && wireTime(row.until),
      automatic: row.automatic,
      imposed_by: row.imposed_by,
      ended_at: ended && wireTime(ended),
      lifted_by: row.lifted_by ?? row.taken_back_by,
      amount: row.amount === null ? null : toWire('coin', row.amount),
      paid: row.paid === null ? null : toWire('coin', row.paid),
      place: row.place as StaffStatement['place'],
      refund: refund(app, row),
      appeal: row.appeal_state as StaffStatement['appeal'],
    }
  })
  return { items, next: rows.length > limit }
}

type ReadStatement = Awaited<ReturnType<typeof readStatements>>[number]

/** Of a penalty that comes back when enough is earned in its time: what is missing. The rule is that of `returnEarned`. */
function refund(
  app: App,
  { refundable_until: until, earned, returned_at, has_other }: ReadStatement,
): StaffStatement['refund'] {
  if (until === null || earned === null || returned_at !== null || has_other) return null
  if (Temporal.Instant.compare(app.clock.now(), until) >= 0) return null
  return {
    until: wireTime(until),
    coins: setting(app, 'penalty_refund_coins'),
    earned: toWire('coin', earned),
  }
}

function readStatements(
  db: Db,
  { before, user_id, kind, own }: Filters & { readonly own: UserId | undefined },
  limit: number,
) {
  return db
    .selectFrom('statements')
    .leftJoin('sanctions', 'sanctions.statement_id', 'statements.statement_id')
    .leftJoin('penalties', 'penalties.statement_id', 'statements.statement_id')
    .leftJoin('appeals', 'appeals.statement_id', 'statements.statement_id')
    .selectAll('statements')
    .select([
      'sanctions.ended_at',
      'sanctions.lifted_by',
      'penalties.amount',
      'penalties.paid',
      'penalties.place',
      'penalties.earned',
      'penalties.refundable_until',
      'penalties.returned_at',
      'appeals.state as appeal_state',
    ])
    .select(
      // As `countPenalties`: a penalty that was taken back does not count.
      sql<boolean>`exists (select from penalties other join statements own using (statement_id)
        where other.girl_id = penalties.girl_id and other.statement_id <> penalties.statement_id
          and own.taken_back_at is null)`.as('has_other'),
    )
    .$if(before !== undefined, (query) => query.where('statements.statement_id', '<', before!))
    .$if(user_id !== undefined, (query) => query.where('statements.user_id', '=', user_id!))
    .$if(own !== undefined, (query) => query.where('statements.user_id', '<>', own!))
    .$if(kind !== undefined, (query) => query.where('statements.kind', '=', kind!))
    .orderBy('statements.statement_id', 'desc')
    .limit(limit)
    .execute()
}
