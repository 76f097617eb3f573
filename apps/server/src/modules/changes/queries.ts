import type { Selectable } from 'kysely'
import type { Reader, UserId } from '../../context.ts'
import type { Tables } from '../../platform/db/tables.gen.ts'

export type ChangeRow = Pick<Selectable<Tables['changes']>, 'change_id' | 'event' | 'payload'>
import { anyOf, gathered } from '../../platform/db/gathered.ts'

const heads = gathered<UserId, number>(async (reader, ids) => {
  const rows = await reader
    .selectFrom('change_heads')
    .select(['user_id', 'head'])
    .where('user_id', '=', anyOf(ids))
    .execute()
  return new Map(rows.map(({ user_id, head }) => [user_id, head]))
})

/** The number of a user's last change; 0 when there was none. */
export async function headOf(reader: Reader, user_id: UserId): Promise<number> {
  return (await heads(reader, user_id)) ?? 0
}

export function changesSince(reader: Reader, user_id: UserId, since: number, limit: number): Promise<ChangeRow[]> {
  return reader
    .selectFrom('changes')
    .select(['change_id', 'event', 'payload'])
    .where('user_id', '=', user_id)
    .where('change_id', '>', since)
    .orderBy('change_id')
    .limit(limit)
    .execute()
}

export function newestChange(reader: Reader, user_id: UserId): Promise<ChangeRow[]> {
  return reader
    .selectFrom('changes')
    .select(['change_id', 'event', 'payload'])
    .where('user_id', '=', user_id)
    .orderBy('change_id', 'desc')
    .limit(1)
    .execute()
}
