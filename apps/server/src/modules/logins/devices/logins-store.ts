import { sql } from 'kysely'
import { hashToken, newToken } from '../../../lib/ids.ts'
import type { Tx } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import { setting } from '../../settings/index.ts'
import { forgetAfterCommit, forgetUser } from '../../identity/index.ts'
import type { LoginRow } from './queries.ts'

/** The writes of logins, each one statement with its condition. */

/** The device of a login, for the user's own list of them. */
export interface LoginDevice {
  readonly device: string
  readonly country: string | null
}

const UNKNOWN_DEVICE: LoginDevice = { device: '', country: null }

export async function openLogin(
  tx: Tx,
  user_id: UserId,
  { device, country }: LoginDevice = UNKNOWN_DEVICE,
): Promise<{ login: LoginRow; token: string }> {
  const token = newToken()
  const login = await tx
    .insertInto('logins')
    .values({
      user_id,
      token_hash: hashToken(token),
      device,
      country,
      created_at: tx.now,
      used_at: tx.now,
    })
    .returning(['id', 'user_id', 'generation'])
    .executeTakeFirstOrThrow()
  await endOldestLogins(tx, user_id, login.id)
  return { login, token }
}

/**
 * Ends the least recently used logins of a user beyond the permitted number. Only AUTH writes `used_at`, so
 * a login with an open socket counts as used now: its page may be in a call.
 */
async function endOldestLogins(tx: Tx, user_id: UserId, newestId: number): Promise<void> {
  const connectedId = await connectedLogin(tx, user_id)
  const { rows } = await sql<Pick<LoginRow, 'id' | 'user_id'>>`
    update logins set ended_at = ${tx.now} where id is distinct from ${connectedId}::bigint and id = any(array(
      select id from logins where user_id = ${user_id} and ended_at is null
      order by id = ${newestId} desc, id is not distinct from ${connectedId}::bigint desc, used_at desc, id desc
      offset ${setting(tx.app, 'logins_max')}))
    returning id, user_id`.execute(tx)
  closeAfterCommit(tx, rows)
}

async function connectedLogin(tx: Tx, user_id: UserId): Promise<number | null> {
  return (await tx.app.realtime.activeConnection(user_id))?.login_id ?? null
}

/**
 * Goes through at most `limit` logins that were last used before this time. Returns how many. A login with
 * an open socket counts as used now. Every other login ends.
 */
export async function endIdleLogins(
  tx: Tx,
  before: Temporal.Instant,
  limit: number,
): Promise<number> {
  const { rows: idle } = await sql<Pick<LoginRow, 'id' | 'user_id'>>`
    select id, user_id from logins where ended_at is null and created_at < ${before} and used_at < ${before}
    limit ${limit} for update`.execute(tx)
  const connected = await Promise.all(
    idle.map(async ({ id, user_id }) => (await connectedLogin(tx, user_id)) === id),
  )
  const idsWhere = (isConnected: boolean) =>
    idle.filter((_, index) => connected[index] === isConnected).map(({ id }) => id)
  await sql`update logins set used_at = ${tx.now} where id = any(${idsWhere(true)})`.execute(tx)
  await sql`update logins set ended_at = ${tx.now} where id = any(${idsWhere(false)})`.execute(tx)
  closeAfterCommit(
    tx,
    idle.filter((_, index) => !connected[index]),
  )
  return idle.length
}

function closeAfterCommit(tx: Tx, ended: readonly Pick<LoginRow, 'id' | 'user_id'>[]): void {
  for (const { id, user_id } of ended)
    tx.afterCommit(async () => {
      forgetUser(tx.app, user_id)
      await tx.app.realtime.endLogin({ user_id, login_id: id })
    })
}

/** Gives a login a new token; the old one and all tokens derived from it are invalid at the commit. */
export async function rotateLogin(
  tx: Tx,
  loginId: number,
): Promise<{ login: LoginRow; token: string } | undefined> {
  const token = newToken()
  const login = await tx
    .updateTable('logins')
    .set((expression) => ({
      token_hash: hashToken(token),
      generation: expression('generation', '+', 1),
      used_at: tx.now,
    }))
    .where('id', '=', loginId)
    .where('ended_at', 'is', null)
    .returning(['id', 'user_id', 'generation'])
    .executeTakeFirst()
  return login && { login, token }
}

/** Returns the ids of the logins that it ended. Their sockets are the caller's. */
export async function endLogins(
  tx: Tx,
  user_id: UserId,
  which: { only: number } | { except: number } | 'all',
): Promise<number[]> {
  let query = tx
    .updateTable('logins')
    .set({ ended_at: tx.now })
    .where('user_id', '=', user_id)
    .where('ended_at', 'is', null)
  if (which !== 'all')
    query =
      'only' in which ? query.where('id', '=', which.only) : query.where('id', '!=', which.except)
  const ended = await query.returning('id').execute()
  forgetAfterCommit(tx, user_id)
  return ended.map(({ id }) => id)
}
