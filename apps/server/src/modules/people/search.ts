import { sql } from 'kysely'
import type { Answer, OfficeUser, Query } from '@duet/protocol'
import { isLocale } from '@duet/protocol/kernel/locales.ts'
import { type Role, wireRole } from '@duet/protocol/kernel/roles.ts'
import { parseId } from '@duet/protocol/kernel/parse-id.ts'
import type { App } from '../../core/app.ts'
import type { Db } from '../../core/db.ts'
import type { UserId } from '../../core/ids.ts'
import type { Staff } from '../../core/viewer.ts'
import { wireTime } from '../../lib/clock.ts'
import { writeAudit } from '../audit/index.ts'
import { findOrders } from '../billing/index.ts'
import { refCodesIn, type UserRow } from '../identity/index.ts'

const FOUND_MAX = 20

/**
 * GET v2/manager/users. Each way of the search is one scan of an index, and finds at most twenty users. The audit log has the
 * users that were shown, and an address of the query in short: it outlives an erasure.
 */
export async function findPeople(
  app: App,
  staff: Staff,
  { query }: Query<'GET v2/manager/users'>,
): Promise<Answer<'GET v2/manager/users'>> {
  const buyers = (await findOrders(app.db, query)).map(({ user_id }) => user_id)
  const ids = [...(await idsByUser(app.db, query)), ...buyers]
  const rows = await usersById(app.db, [...new Set(ids)].slice(0, FOUND_MAX))
  const facts = { query: shortEmails(query), found: rows.map(({ id }) => id) }
  await app.transact((tx) => writeAudit(tx, { staff, act: 'user_search', facts }))
  return { users: rows.map((row) => shownUser(staff, row)) }
}

/** By id, code or address of a page, mail, wallet and nickname. The exact matches first, then nicknames that begin with the text. */
async function idsByUser(db: Db, text: string): Promise<UserId[]> {
  const number = parseId(text) ?? null
  const beginning = `${text.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  const { rows } = await sql<{ id: UserId }>`
    (select id from users where id = ${number}::bigint)
    union all (select id from users where ref_code = any(${refCodesIn(text)}::text[]) limit ${FOUND_MAX})
    union all (select id from users where lower(email) = lower(${text}))
    union all (select user_id from former_emails where lower(email) = lower(${text}) limit ${FOUND_MAX})
    union all (select id from users where usdt_wallet = ${text} limit ${FOUND_MAX})
    union all (select id from users where lower(nick) like ${beginning} order by lower(nick), id limit ${FOUND_MAX})
  `.execute(db)
  return rows.map(({ id }) => id)
}

/** In the order of the ids given. */
async function usersById(db: Db, ids: readonly UserId[]): Promise<UserRow[]> {
  if (ids.length === 0) return []
  const rows = await db.selectFrom('users').selectAll().where('id', 'in', ids).execute()
  return rows
    .map((row) => row as UserRow)
    .toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id))
}

/** A user as staff of a role see it: a moderator does not read whole addresses. */
export function shownUser({ staff_role }: Staff, row: UserRow): OfficeUser {
  return {
    id: row.id,
    nick: row.nick,
    email: staff_role === 'moderator' && row.email ? shortEmails(row.email) : row.email,
    role: row.role === null ? null : wireRole(row.role as Role) || null,
    country: row.country,
    locale: isLocale(row.locale) ? row.locale : null,
    verified: row.verified_at !== null,
    state: userState(row),
    create_time: wireTime(row.registered_at ?? row.created_at),
    last_visit: row.last_visit && wireTime(row.last_visit),
  }
}

function userState({ erased_at, role, sanction_id }: UserRow): OfficeUser['state'] {
  if (erased_at) return 'erased'
  if (role === null) return 'unregistered'
  return sanction_id === null ? 'active' : 'sanctioned'
}

/** The text with the first letter of an address only. */
function shortEmails(text: string): string {
  return text.replaceAll(/(\S)[^@\s]*(?=@)/gu, '$1…')
}
