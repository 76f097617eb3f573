import { sql } from 'kysely'
import type { Tx } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { AppendedChange, AppendStatement } from '../../platform/notifier/change-log.ts'

interface HeadRow {
  readonly user_id: UserId
  readonly head: number
}

/**
 * Takes the next numbers of the users and writes the rows, in one statement. The heads are locked in the
 * order of the users until the commit. So there are no gaps (C1), and two transactions never wait for each
 * other.
 */
export function appendStatement(tx: Tx, changes: readonly AppendedChange[]): AppendStatement {
  const counts = new Map<UserId, number>()
  for (const { user_id } of changes) counts.set(user_id, (counts.get(user_id) ?? 0) + 1)
  const users = [...counts.keys()].sort((one, other) => one - other)
  const rest = new Map(counts)
  /** How many later changes of the transaction are for the same user: the number of a change is the head minus these. */
  const laterOnes = changes.map(({ user_id }) => {
    rest.set(user_id, rest.get(user_id)! - 1)
    return rest.get(user_id)!
  })
  const rows = changes.map(({ user_id, event, payload }, n) => ({
    user_id,
    later: laterOnes[n],
    event,
    payload,
  }))
  const query = sql<HeadRow>`
    with drawn as (
      insert into change_heads (user_id, head)
      select * from unnest(${users}::bigint[], ${users.map((id) => counts.get(id))}::bigint[])
      on conflict (user_id) do update set head = change_heads.head + excluded.head
      returning user_id, head
    ), stored as (
      insert into changes (user_id, change_id, event, payload, at)
      select user_id, head - later, event, payload, ${tx.now}
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as new (user_id bigint, later integer, event text, payload jsonb)
      join drawn using (user_id)
    )
    select user_id, head from drawn`.compile(tx)
  return {
    query,
    numbersFrom(headRows) {
      const heads = new Map(headRows.map(({ user_id, head }) => [user_id, head]))
      return changes.map(({ user_id }, n) => heads.get(user_id)! - laterOnes[n]!)
    },
  }
}
