import { limits } from '@duet/protocol'
import { sql } from 'kysely'
import type { App } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { Tx } from '../../core/tx.ts'

/** How many rows one statement of the purge takes: short enough that nobody waits for it. */
const purge_rows = 10_000

/** Draws the user's next number and writes the row, in one statement; the head's lock is held to the commit, so there are no gaps. */
export async function record(
  tx: Tx,
  user_id: UserId,
  event: string,
  payload: object,
): Promise<number> {
  const { rows } = await sql<{ change_id: number }>`
    with drawn as (
      insert into change_heads (user_id, head) values (${user_id}, 1)
      on conflict (user_id) do update set head = change_heads.head + 1
      returning head
    )
    insert into changes (user_id, change_id, event, payload, at)
    select ${user_id}, head, ${event}, ${JSON.stringify(payload)}::jsonb, ${tx.now} from drawn
    returning change_id`.execute(tx)
  return rows[0]!.change_id
}

/**
 * Forgets what is older than the wire promises; whoever asks for it is told to fetch anew. Everybody's newest row stays:
 * it says where his numbers are.
 */
export async function purge(app: App): Promise<void> {
  const before = app.clock.now().subtract({ hours: 24 * limits.change_days })
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      delete from changes using (
        select old.user_id, old.change_id, old.at from changes old join change_heads of on of.user_id = old.user_id
        where old.at < ${before} and old.change_id < of.head limit ${purge_rows}) old
      where (changes.user_id, changes.change_id, changes.at) = (old.user_id, old.change_id, old.at)`.execute(
      app.db,
    )
    if (numAffectedRows < BigInt(purge_rows)) return
  }
}
