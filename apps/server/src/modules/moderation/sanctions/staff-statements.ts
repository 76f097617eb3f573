import type { Answer, Query, StaffStatement } from '@duet/protocol'
import type { App } from '../../../core/app.ts'
import type { Db } from '../../../core/db.ts'
import type { Staff } from '../../../core/viewer.ts'
import { wireTime } from '../../../lib/clock.ts'
import { toWire } from '../../../lib/money.ts'
import { readDeskPeople } from '../../staff/index.ts'

type Filters = Query<'GET v2/manager/statements'>

/** GET v2/manager/statements: one more than the page tells whether there are others. */
export async function statementsForStaff(
  app: App,
  _staff: Staff,
  request: Filters,
): Promise<Answer<'GET v2/manager/statements'>> {
  const limit = request['per-page']
  const rows = await readStatements(app.db, request, limit + 1)
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
      appeal: row.appeal_state as StaffStatement['appeal'],
    }
  })
  return { items, next: rows.length > limit }
}

function readStatements(db: Db, { before, user_id, kind }: Filters, limit: number) {
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
      'penalties.returned_at',
      'appeals.state as appeal_state',
    ])
    .$if(before !== undefined, (query) => query.where('statements.statement_id', '<', before!))
    .$if(user_id !== undefined, (query) => query.where('statements.user_id', '=', user_id!))
    .$if(kind !== undefined, (query) => query.where('statements.kind', '=', kind!))
    .orderBy('statements.statement_id', 'desc')
    .limit(limit)
    .execute()
}
