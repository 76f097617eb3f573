import { sql } from 'kysely'
import type { App } from '../../context.ts'
import { groupCommit } from '../../platform/db/group-commit.ts'
import { perApp } from '../../platform/module.ts'
import { visited } from './queries.ts'
import type { LoginKey } from './tokens.ts'

interface Visit {
  readonly key: LoginKey
  readonly at: Temporal.Instant
}

const batch_max = 500
const waiting_max = 50_000

/** When somebody was last here is written for many at once and nobody waits for it: a crash may lose the newest visits. */
const visits = perApp((app) =>
  groupCommit<Visit, void>({
    flush: (batch) => write(app, batch).then(() => batch.map(() => undefined)),
    max_batch: batch_max,
    max_queue: waiting_max,
  }),
)

export function noteVisit(app: App, visit: Visit): void {
  visits(app)
    .submit(visit)
    .catch((error: unknown) => app.log.warn({ err: error }, 'a visit was not noted'))
}

function write(app: App, batch: readonly Visit[]): Promise<void> {
  // In the order of ids, so that two batches do not wait for each other crosswise.
  const noted = batch.toSorted((one, other) => one.key.user_id - other.key.user_id)
  const times = noted.map(({ at }) => at.toString())
  return app.transact(async (tx) => {
    await sql`set local synchronous_commit = off`.execute(tx)
    await sql`
      with visit as (
        select * from unnest(
          ${noted.map(({ key }) => key.user_id)}::integer[], ${noted.map(({ key }) => key.login_id)}::integer[], ${times}::timestamptz[]
        ) as visit (user_id, login_id, at)
      ), login as (
        update logins set used_at = visit.at from visit where logins.id = visit.login_id
      )
      update users set last_visit = visit.at from visit where users.id = visit.user_id and users.erased_at is null
    `.execute(tx)
    tx.after(() => {
      for (const { key, at } of noted) visited(app, key.user_id, at)
    })
  })
}
