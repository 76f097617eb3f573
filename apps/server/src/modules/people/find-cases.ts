import type { Answer, FoundCase, Query } from '@duet/protocol'
import { parseId } from '@duet/protocol/kernel/parse-id.ts'
import type { App } from '../../core/app.ts'
import type { Db } from '../../core/db.ts'
import type { UserId } from '../../core/ids.ts'
import type { Staff } from '../../core/viewer.ts'
import { findOrders } from '../billing/index.ts'
import { findDecided } from '../moderation/index.ts'
import { findWaiting, ownAccount, readDeskPeople } from '../staff/index.ts'

interface Found extends Omit<FoundCase, 'users'> {
  readonly users: readonly UserId[]
}

/** GET v2/manager/cases. Each way of the search reads one row by its key, but for at most twenty orders of a payment. */
export async function findCases(
  app: App,
  staff: Staff,
  { query }: Query<'GET v2/manager/cases'>,
): Promise<Answer<'GET v2/manager/cases'>> {
  const number = parseId(query)
  const isFinance = staff.staff_role === 'finance'
  // A moderator decides about no money: the page of a person is the way to an order, and is recorded.
  const isModerator = staff.staff_role === 'moderator'
  const all: readonly Found[] = [
    ...(await findWaiting(app, staff, query)),
    ...(number === undefined || isFinance ? [] : await findDecided(app.db, number)),
    ...(isModerator ? [] : await orders(app.db, query)),
  ]
  const own = await ownAccount(app.db, staff)
  const found = all.filter(({ users }) => own === undefined || !users.includes(own))
  const person = await readDeskPeople(
    app.db,
    found.flatMap(({ users }) => users),
  )
  return { cases: found.map((one) => ({ ...one, users: one.users.map((id) => person(id)) })) }
}

async function orders(db: Db, text: string): Promise<Found[]> {
  return (await findOrders(db, text)).map(({ order_id, user_id }) => ({
    kind: 'orders',
    id: String(order_id),
    users: [user_id],
    is_waiting: false,
  }))
}
