import type { Payload, UserInterlocutor, VirtualDate } from '@duet/protocol'
import { otherRole, type Role } from '@duet/protocol/kernel/roles.ts'
import type { AppContext } from '../../core/app.ts'
import type { Db } from '../../core/db.ts'
import type { UserId } from '../../core/ids.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { StoredChange } from '../../core/stored-change.ts'
import { assert } from '../../lib/assert.ts'
import { plusMs, wireTime } from '../../lib/clock.ts'
import { toWire } from '../../lib/money.ts'
import { refuse } from '../../lib/refusal.ts'
import { hiddenFromRequest } from '../favourites/index.ts'
import { interlocutors } from '../identity/index.ts'
import { setting } from '../settings/index.ts'
import {
  freeUntil,
  missedAmounts,
  PRESS_MS,
  pressedAt,
  type VirtualDateRecord,
} from './date-record.ts'
import { dateById, datesByIds } from './queries.ts'

declare module '../../core/stored-change.ts' {
  interface StoredChanges {
    date_update: { readonly date_id: number }
  }
}

/** The side of a party. Refuses not_found for another user. */
export function sideIn(date: VirtualDateRecord, user_id: UserId): Role {
  if (date.guy_id === user_id) return 'guy'
  return date.girl_id === user_id ? 'girl' : refuse('not_found')
}

/** Dates as this party sees them, in the order of the records. `request`: the answer of a request, which has a country. */
export async function dateViews(
  context: AppContext,
  db: Db,
  viewerId: UserId,
  records: readonly VirtualDateRecord[],
  request?: RequestContext,
): Promise<VirtualDate[]> {
  const otherId = (one: VirtualDateRecord) => (one.guy_id === viewerId ? one.girl_id : one.guy_id)
  const ids = [...new Set(records.map(otherId))]
  const people = await interlocutors(context, db, viewerId, ids)
  const { hooks } = context
  const viewer = { id: viewerId }
  const hidden = request
    ? await hiddenFromRequest({ db, hooks }, viewer, request, ids)
    : await hooks.hiddenUsers(db, viewer, ids)
  const shown = new Map(people.filter(({ id }) => !hidden.has(id)).map((one) => [one.id, one]))
  return records.map((record) =>
    toView(context, record, sideIn(record, viewerId), shown.get(otherId(record))),
  )
}

export async function dateView(
  context: AppContext,
  db: Db,
  viewerId: UserId,
  date_id: number,
  request: RequestContext,
): Promise<VirtualDate> {
  const record = (await dateById(db, date_id)) ?? refuse('not_found')
  const [view] = await dateViews(context, db, viewerId, [record], request)
  return view!
}

function toView(
  context: AppContext,
  record: VirtualDateRecord,
  side: Role,
  user_interlocutor: UserInterlocutor | undefined,
): VirtualDate {
  const { date_id, at, minutes, state, opened_at, answer_until, cancelled_by, session_id } = record
  return {
    id: date_id,
    ...(user_interlocutor && { user_interlocutor }),
    at: wireTime(at),
    minutes,
    state,
    free_until: wireTime(freeUntil(record)),
    press_until: wireTime(plusMs(at, PRESS_MS)),
    answer_until: wireTime(answer_until),
    pressed: pressedAt(record, side) !== null,
    waiting: pressedAt(record, otherRole(side)) !== null,
    ...(cancelled_by && { cancelled_by: cancelled_by === side ? 'you' : 'other' }),
    ...(session_id !== null && { session_id }),
    ...(side === 'guy' ? hisMoney(context, record) : herMoney(record)),
    create_time: wireTime(opened_at),
  }
}

function hisMoney(context: AppContext, record: VirtualDateRecord) {
  const { price, hold_units, kept_units, closed_at } = record
  return {
    price: toWire('diamond', price),
    hold: toWire('diamond', hold_units),
    ...(closed_at === null && {
      late_cost: toWire(
        'diamond',
        missedAmounts(record, { noshow_percent: setting(context, 'virtual_date_noshow') })
          .kept_units,
      ),
    }),
    ...(kept_units > 0n && { kept: toWire('diamond', kept_units) }),
  }
}

function herMoney({ earn, earned_units }: VirtualDateRecord) {
  return {
    price: toWire('coin', earn),
    ...(earned_units > 0n && { earned: toWire('coin', earned_units) }),
  }
}

/** Dates as they are when the change is read. */
export async function renderDates(
  db: Db,
  viewerId: UserId,
  stored: readonly StoredChange<'date_update'>[],
  context: AppContext,
): Promise<Payload<'date_update'>[]> {
  const ids = [...new Set(stored.map(({ date_id }) => date_id))]
  const views = await dateViews(context, db, viewerId, await datesByIds(db, ids))
  const byId = new Map(views.map((view) => [view.id, view]))
  return stored.map(({ date_id }) => {
    const date = byId.get(date_id)
    assert(date, 'the row of a date outlives its changes')
    return { date }
  })
}
