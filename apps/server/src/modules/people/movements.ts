import type { Answer, PersonMovement, Query } from '@duet/protocol'
import type { App } from '../../core/app.ts'
import { RawResponse } from '../../core/raw-response.ts'
import type { Staff } from '../../core/viewer.ts'
import { wireTime } from '../../lib/clock.ts'
import { toWire } from '../../lib/money.ts'
import { refuse } from '../../lib/refusal.ts'
import { CSV_TYPE, csvLine } from '../../lib/texts/csv.ts'
import { writeAudit } from '../audit/index.ts'
import { userById } from '../identity/index.ts'
import {
  type MovementFilter,
  type MovementPlace,
  type MovementRow,
  movementsOfUser,
} from '../ledger/index.ts'
import { requireNotOwn } from '../staff/index.ts'
import { beginLook } from './begin-look.ts'

export const EXPORTED_MAX = 10_000
const COLUMNS = [
  'id',
  'at',
  'asset',
  'amount',
  'balance',
  'purpose',
  'cause',
  'cause_id',
  'note',
] as const satisfies readonly (keyof PersonMovement)[]

type Asked = Query<'GET v2/manager/users/{id}/movements/export'>

const readTime = (given: string | undefined) =>
  given === undefined ? undefined : Temporal.Instant.from(given)
const toFilter = ({ asset, purpose, from, to }: Asked): MovementFilter => ({
  asset,
  purpose,
  from: readTime(from),
  to: readTime(to),
})

const toFacts = ({ asset, purpose, from, to }: Asked) => ({
  asset: asset ?? null,
  purpose: purpose ?? null,
  from: from ?? null,
  to: to ?? null,
})

const shownMovement = (row: MovementRow): PersonMovement => ({
  id: row.id,
  at: wireTime(row.at),
  asset: row.asset,
  amount: `${row.direction === 'out' ? '-' : ''}${toWire(row.asset, row.amount)}`,
  balance: toWire(row.asset, row.balance),
  purpose: row.what,
  cause: row.cause,
  cause_id: row.cause_id,
  note: row.note,
})

const PLACE = /^(?<id>\d{1,15})(?<balances>(:-?\d{1,18}){3})$/

/** A false balance in a place misleads only its sender. */
function parsePlace(after: string): MovementPlace {
  const groups = PLACE.exec(after)?.groups
  if (!groups)
    refuse('invalid', { fields: [{ path: 'after', message: 'Not a place of this list' }] })
  const balances = groups['balances']!.slice(1).split(':').map(BigInt)
  return { id: Number(groups['id']), balances }
}

const writePlace = ({ id, balances }: MovementPlace) => [id, ...balances].join(':')

/** GET v2/manager/users/{id}/movements. Refuses not_found, invalid. */
export async function movementsPage(
  app: App,
  staff: Staff,
  request: Query<'GET v2/manager/users/{id}/movements'>,
): Promise<Answer<'GET v2/manager/users/{id}/movements'>> {
  const { id, page, 'per-page': per_page, after } = request
  const place = after === undefined ? undefined : parsePlace(after)
  await beginLook(app, staff, request, 'movements', toFacts(request))
  const part = { after: place, limit: per_page }
  const { rows, next } = await movementsOfUser(app.db, id, toFilter(request), part)
  return {
    items: rows.map(shownMovement),
    page,
    per_page,
    total: null,
    next: next !== null,
    after: next === null ? undefined : writePlace(next),
  }
}

/** GET v2/manager/users/{id}/movements/export. The export is recorded before anything is read. Refuses not_found, invalid, role_forbidden. */
export async function exportMovements(app: App, staff: Staff, asked: Asked): Promise<RawResponse> {
  const { id: user_id } = asked
  if (!(await userById(app.db, user_id))) refuse('not_found')
  await requireNotOwn(app.db, staff, [user_id])
  await app.transact((tx) =>
    writeAudit(tx, {
      staff,
      act: 'ledger_export',
      user_id,
      facts: toFacts(asked),
    }),
  )
  const rows: MovementRow[] = []
  for (
    let after: MovementPlace | null | undefined;
    after !== null && rows.length <= EXPORTED_MAX;
  ) {
    const part = { after, limit: EXPORTED_MAX + 1 - rows.length }
    const page = await movementsOfUser(app.db, user_id, toFilter(asked), part)
    rows.push(...page.rows)
    after = page.next
  }
  if (rows.length > EXPORTED_MAX)
    refuse('invalid', {
      fields: [{ path: 'from', message: `More than ${EXPORTED_MAX} movements: choose fewer days` }],
    })
  const lines = rows.map(shownMovement).map((row) => csvLine(COLUMNS.map((name) => row[name])))
  return new RawResponse({
    body: [csvLine(COLUMNS), ...lines].join(''),
    content_type: CSV_TYPE,
    headers: { 'Content-Disposition': `attachment; filename="ledger-${user_id}.csv"` },
  })
}
