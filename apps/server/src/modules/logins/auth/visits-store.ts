import { sql } from 'kysely'
import type { App } from '../../../core/app.ts'
import { perApp } from '../../../core/app-state.ts'
import { groupCommit } from '../../../platform/database/group-commit.ts'
import { userVisited, type LoginKey } from '../../identity/index.ts'

interface Visit {
  readonly key: LoginKey
  readonly at: Temporal.Instant
  /** Of the connection; null: unknown. */
  readonly country: string | null
}

const BATCH_VISITS_MAX = 500
const QUEUED_VISITS_MAX = 50_000

/** The times of visits are written for many users at once, and no request waits for it: a crash may lose the newest. */
const visits = perApp(
  'logins: visits',
  'visits that wait to be written together; lost visits leave last_visit a little older',
  (app) =>
    groupCommit<Visit, void>({
      flush: (batch) => writeVisits(app, batch).then(() => batch.map(() => undefined)),
      max_batch: BATCH_VISITS_MAX,
      max_queue: QUEUED_VISITS_MAX,
    }),
)

export function recordVisit(app: App, visit: Visit): void {
  app.background('recording a visit', visits(app).submit(visit))
}

function writeVisits(app: App, batch: readonly Visit[]): Promise<void> {
  // In the order of ids, so that two batches do not deadlock.
  const sorted = batch.toSorted((one, other) => one.key.user_id - other.key.user_id)
  const times = sorted.map(({ at }) => at.toString())
  return app.transact(async (tx) => {
    await sql`set local synchronous_commit = off`.execute(tx)
    await sql`
      with visit as (
        select * from unnest(
          ${sorted.map(({ key }) => key.user_id)}::bigint[], ${sorted.map(({ key }) => key.login_id)}::bigint[],
          ${times}::timestamptz[], ${sorted.map(({ country }) => country)}::text[]
        ) as visit (user_id, login_id, at, country)
      ), login as (
        update logins set used_at = visit.at, country = visit.country from visit where logins.id = visit.login_id
      )
      update users set last_visit = visit.at from visit where users.id = visit.user_id and users.erased_at is null
    `.execute(tx)
    tx.afterCommit(() => {
      for (const { key, at } of sorted) userVisited(app, key.user_id, at)
    })
  })
}
