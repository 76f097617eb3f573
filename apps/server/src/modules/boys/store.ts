import { sql } from 'kysely'
import type { Tx } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'

/** The talk that has just ended is the last of the two. */
export async function setTalk(tx: Tx, guy_id: UserId, girl_id: UserId): Promise<void> {
  await sql`
    insert into talks (guy_id, girl_id, last_at, premium_until)
    select id, ${girl_id}, ${tx.now}, premium_until from users where id = ${guy_id}
    on conflict (guy_id, girl_id) do update
      set last_at = excluded.last_at, premium_until = excluded.premium_until`.execute(tx)
}

/** Copies a changed end of Premium of a guy to his talks. */
export async function setPremiumOfTalks(tx: Tx, guy_id: UserId): Promise<void> {
  await sql`
    update talks set premium_until = guy.premium_until
    from (select id, premium_until from users where id = ${guy_id}) as guy
    where talks.guy_id = guy.id and talks.premium_until is distinct from guy.premium_until`.execute(
    tx,
  )
}
