import { sql } from 'kysely'
import { parseId } from '@duet/protocol/kernel/parse-id.ts'
import type { Db } from '../../../core/db.ts'
import type { UserId } from '../../../core/ids.ts'

/** The address of a page of a girl, or an invitation link. */
const CODES = /(?:\/girl\/|[?&]rc=)([\w-]{1,64})/g
const CODES_MAX = 20

/** The codes in the addresses that a text has; a text without an address may be a code itself. */
export function refCodesIn(text: string): readonly string[] {
  const codes = [...text.matchAll(CODES)].map(([, code]) => code!)
  return codes.length > 0 ? [...new Set(codes)].slice(0, CODES_MAX) : [text.trim()]
}

/**
 * The members that a text of a stranger names: by the address of a page, or by an id, a code or a nickname that is the
 * whole text. A nickname that several members have names none of them.
 */
export async function namedUsers(db: Db, text: string): Promise<UserId[]> {
  const name = text.trim().replace(/^[#@]/, '')
  const number = parseId(name) ?? null
  const { rows } = await sql<{ id: UserId }>`
    select id from users where role is not null and (id = ${number}::bigint
      or ref_code = any(${refCodesIn(name)}::text[])
      or id = (select min(id) from users
        where lower(nick) = lower(${name}) and erased_at is null having count(*) = 1))
    order by id limit ${CODES_MAX}`.execute(db)
  return rows.map(({ id }) => id)
}
