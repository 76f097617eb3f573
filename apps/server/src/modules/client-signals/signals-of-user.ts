import { sql } from 'kysely'
import type { Db } from '../../core/db.ts'
import type { UserId } from '../../core/ids.ts'
import { ACCOUNTS_OF_VALUE_MAX } from './links.ts'
import type { SignalType } from './signal-types.ts'

/** Other accounts of a value that are shown, the latest ones. */
const ACCOUNTS_SHOWN_MAX = 10

interface OwnSignal {
  readonly signal_id: number
  readonly signal: SignalType
  readonly first_at: Temporal.Instant
  readonly last_at: Temporal.Instant
  readonly shared_with: UserId[]
  readonly is_common: boolean
}

/** By what a user is recognised, the last seen first, and the other accounts with the same value. */
export async function signalsOfUser(db: Db, user_id: UserId): Promise<readonly OwnSignal[]> {
  const { rows } = await sql<OwnSignal>`
    select own.signal_id, own.signal, own.first_at, own.last_at,
      coalesce((array_agg(other.user_id order by other.last_at desc) filter (where other.user_id is not null))[1:${sql.lit(ACCOUNTS_SHOWN_MAX)}], '{}') as shared_with,
      count(other.user_id) > ${ACCOUNTS_OF_VALUE_MAX} as is_common
    from client_signals as own
    left join lateral (
      select user_id, last_at from client_signals as same
      where same.value_hash = own.value_hash and same.user_id <> own.user_id
      order by last_at desc limit ${ACCOUNTS_OF_VALUE_MAX + 1}) as other on true
    where own.user_id = ${user_id}
    group by own.signal_id order by own.last_at desc, own.signal_id`.execute(db)
  return rows
}
