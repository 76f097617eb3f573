import type { Answer, PersonCard, Query } from '@duet/protocol'
import type { App } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { Staff } from '../../core/viewer.ts'
import { productDay, wireTime } from '../../lib/clock.ts'
import { refuse } from '../../lib/refusal.ts'
import { writeAudit } from '../audit/index.ts'
import { showLinks } from '../client-signals/index.ts'
import { ageOn, userById } from '../identity/index.ts'
import { shownBalances } from '../ledger/index.ts'
import { tallyComplaints } from '../moderation/index.ts'
import { toWire } from '../../lib/money.ts'
import { readDeskPeople, requireNotOwn } from '../staff/index.ts'
import { readSanctioned } from './sanctioned.ts'
import { shownUser } from './search.ts'

/** GET v2/manager/users/{id}. The look is recorded before anything is read. Refuses not_found, role_forbidden. */
export async function personCard(
  app: App,
  staff: Staff,
  { id }: Query<'GET v2/manager/users/{id}'>,
): Promise<Answer<'GET v2/manager/users/{id}'>> {
  const { db, hooks } = app
  const row = (await userById(db, id)) ?? refuse('not_found')
  await requireNotOwn(db, staff, [id])
  await app.transact((tx) => writeAudit(tx, { staff, act: 'user_view', user_id: id, facts: {} }))
  const [own, money, person, about, by, linked] = await Promise.all([
    hooks.ownFields(db, id),
    shownBalances(app, db, id),
    readDeskPeople(db, row.referred_by === null ? [] : [row.referred_by]),
    tallyComplaints(db, 'accused_id', id),
    tallyComplaints(db, 'complainer_id', id),
    linkedPeople(app, id),
  ])
  return {
    user: shownUser(staff, row),
    avatar: own.avatar ?? null,
    about: row.about,
    age: row.birthday && ageOn(row.birthday, productDay(app.clock.now())),
    locale: row.locale,
    verify_state: own.info?.verify_state ?? 'none',
    email_confirmed: row.email_confirmed_at !== null,
    premium_until: row.premium_until && wireTime(row.premium_until),
    gifts_forbidden: row.gifts_forbidden,
    invited_by: row.referred_by === null ? null : person(row.referred_by),
    balance: money.balance,
    held: toWire(money.asset, money.held_units),
    messages: money.balance_messages,
    wallet: staff.staff_role === 'moderator' ? null : row.usdt_wallet,
    complaints_about: about,
    complaints_by: by,
    linked,
  }
}

/** The accounts that share a device, a browser or a network with this one, the strongest link first. */
async function linkedPeople({ db }: App, id: UserId): Promise<PersonCard['linked']> {
  const { accounts } = await showLinks(db, id)
  const ids = accounts.map(({ user_id }) => user_id)
  if (ids.length === 0) return []
  const person = await readDeskPeople(db, ids)
  const sanctioned = await readSanctioned(db, ids)
  return accounts.map(({ user_id, shares }) => ({
    user: person(user_id),
    is_sanctioned: sanctioned.has(user_id),
    shares: shares.map(({ signal, last_at, is_common }) => ({ signal, at: last_at, is_common })),
  }))
}
