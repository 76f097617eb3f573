import { type Database } from '@duet/server/platform/database/open.ts'
import { runAsOwner } from '@duet/testkit/database/run-as-owner.ts'

/** Gives each guy credits and a dialog with the girl at the same place of the other list. Returns the dialogs' ids. */
export async function openDialogs(
  database: Database,
  guys: readonly number[],
  girls: readonly number[],
): Promise<number[]> {
  await database.pool.query(
    'insert into accounts (id, balance) select id * 8 + 1, 1000000000 from unnest($1::bigint[]) id',
    [guys],
  )
  const { rows } = await database.pool.query<{ id: number | string }>(
    `with opened as (
       insert into dialogs (guy_id, girl_id, created_at) select guy, girl, now()
       from unnest($1::bigint[], $2::bigint[]) as pairs (guy, girl) returning id, guy_id, girl_id),
     views as (
       insert into dialog_members (dialog_id, user_id, interlocutor_id, activity_id, hidden)
       select id, guy_id, girl_id, nextval('message_ids'), false from opened
       union all select id, girl_id, guy_id, nextval('message_ids'), false from opened)
     select id from opened order by guy_id`,
    [guys, girls],
  )
  await runAsOwner(database, 'vacuum analyze users, logins, dialogs, dialog_members, accounts')
  return rows.map(({ id }) => Number(id))
}
