import type { Reader, UserId } from '../../context.ts'

/** The number of a user's last change; 0 when there was none. */
export async function headOf(reader: Reader, user_id: UserId): Promise<number> {
  const row = await reader.selectFrom('change_heads').select('head').where('user_id', '=', user_id).executeTakeFirst()
  return row?.head ?? 0
}

export function changesSince(reader: Reader, user_id: UserId, since: number, limit: number) {
  return reader
    .selectFrom('changes')
    .select(['change_id', 'event', 'payload'])
    .where('user_id', '=', user_id)
    .where('change_id', '>', since)
    .orderBy('change_id')
    .limit(limit)
    .execute()
}
