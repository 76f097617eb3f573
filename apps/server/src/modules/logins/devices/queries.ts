import type { Selectable } from 'kysely'
import type { UserId } from '../../../core/ids.ts'
import type { Db } from '../../../core/db.ts'
import { hashToken } from '../../../lib/ids.ts'
import { inKeys, batchedRead } from '../../../platform/database/statements/batched-read.ts'
import type { Tables } from '../../../core/tables.gen.ts'

export type LoginRow = Pick<Selectable<Tables['logins']>, 'id' | 'user_id' | 'generation'>

/** After a restart all users reconnect at the same time: their logins are read together, once per interval. */
const RECONNECT_BATCH_MS = 20

const loginByHash = batchedRead<string, LoginRow>(
  async (db, hashes) => {
    const rows = await db
      .selectFrom('logins')
      .select(['id', 'user_id', 'generation', 'token_hash'])
      .where('token_hash', '=', inKeys(hashes.map((hash) => Buffer.from(hash, 'hex'))))
      .where('ended_at', 'is', null)
      .execute()
    return new Map(rows.map(({ token_hash, ...login }) => [token_hash.toString('hex'), login]))
  },
  { every_ms: RECONNECT_BATCH_MS },
)

export function loginByToken(db: Db, token: string): Promise<LoginRow | undefined> {
  return loginByHash(db, hashToken(token).toString('hex'))
}

/** Returns undefined if the login has ended. */
export function loginById(db: Db, id: number): Promise<LoginRow | undefined> {
  return db
    .selectFrom('logins')
    .select(['id', 'user_id', 'generation'])
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
}

/** Of the logins of a user that have ended, the latest. */
const LOGINS_READ_MAX = 100

/** The logins of a user, the last used first: those that have not ended, or all that are kept. */
export function readLogins(db: Db, user_id: UserId, which: 'open' | 'ended too' = 'open') {
  return db
    .selectFrom('logins')
    .select(['id', 'device', 'country', 'created_at', 'used_at', 'ended_at'])
    .where('user_id', '=', user_id)
    .$if(which === 'open', (query) => query.where('ended_at', 'is', null))
    .$if(which !== 'open', (query) =>
      query.orderBy((order) => order('ended_at', 'is not', null)).limit(LOGINS_READ_MAX),
    )
    .orderBy('used_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/**
 * Whether a login of the user, also an ended login, has a device of this name in this country. The name
 * alone is not enough, because any client may claim it. If either country is unknown, the name decides.
 */
export async function hasLoggedInOn(
  db: Db,
  user_id: UserId,
  { device, country }: { readonly device: string; readonly country: string | null },
): Promise<boolean> {
  const row = await db
    .selectFrom('logins')
    .select('id')
    .where('user_id', '=', user_id)
    .where('device', '=', device)
    .$if(country !== null, (query) =>
      query.where((one) => one.or([one('country', '=', country), one('country', 'is', null)])),
    )
    .executeTakeFirst()
  return row !== undefined
}

export function loginsEndedSince(
  db: Db,
  since: Temporal.Instant,
): Promise<Pick<LoginRow, 'id' | 'user_id'>[]> {
  return db.selectFrom('logins').select(['id', 'user_id']).where('ended_at', '>=', since).execute()
}
