import { isLocale } from '@duet/protocol/kernel/locales.ts'
import { type Role, wireRole } from '@duet/protocol/kernel/roles.ts'
import type { DeskPerson } from '@duet/protocol/contracts/staff-desk.ts'
import type { Db } from '../../core/db.ts'
import type { UserId } from '../../core/ids.ts'

/** The nicks and roles of users as lists of staff show them, also of those that are deleted. */
export async function readDeskPeople(
  db: Db,
  ids: readonly UserId[],
): Promise<(id: UserId) => DeskPerson> {
  const rows =
    ids.length === 0
      ? []
      : await db
          .selectFrom('users')
          .select(['id', 'nick', 'role', 'locale'])
          .where('id', 'in', ids)
          .execute()
  const people = new Map(
    rows.map(({ id, nick, role, locale }) => [
      id,
      {
        id,
        nick,
        role: role === null ? null : wireRole(role as Role) || null,
        locale: isLocale(locale) ? locale : null,
      },
    ]),
  )
  return (id) => people.get(id) ?? { id, nick: null, role: null, locale: null }
}
