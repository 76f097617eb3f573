import { sql } from 'kysely'
import type { Tx } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import { productDay } from '../../lib/clock.ts'
import {
  type ClientSignal,
  type FingerprintedClient,
  listSignals,
  passkeySignal,
} from './signal-hash.ts'

/**
 * Values of each signal that are stored of a user. A user who sends invented values replaces only their own
 * values.
 */
export const VALUES_OF_SIGNAL_MAX = 10

/** A visit shortly after the last visit writes nothing. */
const SEEN_AGAIN_MINUTES = 60

/** Stores by what the client of a member can be recognised. A user who is no member, or whose account is closed, has no row. */
export async function recordSignals(
  tx: Tx,
  user_id: UserId,
  client: FingerprintedClient,
): Promise<void> {
  // In one order, so that two pages of a user do not deadlock.
  const signals = listSignals(tx.app, client).toSorted((one, other) =>
    Buffer.compare(one.value_hash, other.value_hash),
  )
  await storeSignals(tx, user_id, signals)
}

/** Stores that a device of this member answered with this passkey, also if the passkey belongs to another account. */
export async function recordPasskey(tx: Tx, user_id: UserId, passkey_id: string): Promise<void> {
  await storeSignals(tx, user_id, [passkeySignal(tx.app, passkey_id)])
}

async function storeSignals(
  tx: Tx,
  user_id: UserId,
  signals: readonly ClientSignal[],
): Promise<void> {
  const { rows } = await sql<{ is_new: boolean }>`
    insert into client_signals as known (user_id, signal, value_hash, first_at, last_at, last_day)
    select users.id, sent.signal, decode(sent.value, 'hex'), ${tx.now}, ${tx.now}, ${productDay(tx.now)}
    from unnest(
      ${signals.map(({ signal }) => signal)}::text[],
      ${signals.map(({ value_hash }) => value_hash.toString('hex'))}::text[]
    ) as sent (signal, value), users
    where users.id = ${user_id} and users.role is not null and users.erased_at is null
    on conflict (user_id, signal, value_hash) do update set last_at = excluded.last_at, last_day = excluded.last_day
    where known.last_at < ${tx.now.subtract({ minutes: SEEN_AGAIN_MINUTES })}
    returning first_at = last_at as is_new`.execute(tx)
  if (rows.some(({ is_new }) => is_new)) await deleteOldestSignals(tx, user_id)
}

async function deleteOldestSignals(tx: Tx, user_id: UserId): Promise<void> {
  await sql`
    delete from client_signals where signal_id in (
      select signal_id from (
        select signal_id, row_number() over (partition by signal order by last_at desc, signal_id desc) as place
        from client_signals where user_id = ${user_id}) as placed
      where place > ${VALUES_OF_SIGNAL_MAX})`.execute(tx)
}
