import type { Role } from '@duet/protocol/kernel/roles.ts'
import { sql, type Updateable } from 'kysely'
import { newRefCode } from '../../../lib/ids.ts'
import { assert } from '../../../lib/assert.ts'
import { refuse } from '../../../lib/refusal.ts'
import type { UserId } from '../../../core/ids.ts'
import type { Db } from '../../../core/db.ts'
import type { Tx } from '../../../core/app.ts'
import type { Tables } from '../../../core/tables.gen.ts'
import type { UserRow } from './columns.ts'
import { forgetAfterCommit, userById } from './queries.ts'

/** The writes of this module (those of logins, visits and guests who end are in login/), each one statement with its condition. */

/** The id of a user that the operator adds; guests draw theirs at random. */
export async function nextUserId(db: Db): Promise<UserId> {
  const { rows } = await sql<{ id: number }>`select nextval('user_ids') as id`.execute(db)
  return rows[0]!.id
}

/** Writes the guest's row at the first stored action; a later call only adds a fingerprint that was missing (I1). */
export async function ensureGuestRow(
  tx: Tx,
  { id, locale }: { readonly id: UserId; readonly locale: string },
  sent: { readonly fingerprint?: string; readonly locale?: string } = {},
): Promise<void> {
  const { fingerprint } = sent
  await tx
    .insertInto('users')
    .values({
      id,
      locale: sent.locale ?? locale,
      fingerprint: fingerprint ?? null,
      created_at: tx.now,
      last_visit: tx.now,
    })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({ fingerprint: fingerprint ?? null })
        .where('users.fingerprint', 'is', null)
        .where('users.role', 'is', null)
        .where('users.erased_at', 'is', null),
    )
    .execute()
  forgetAfterCommit(tx, id)
}

export interface Registration {
  readonly nick: string
  readonly email: string
  readonly password_hash: string
  readonly role: Role
  readonly birthday: Temporal.PlainDate
  /** The country of the connection; absent: unknown. */
  readonly country?: string | null
  readonly region?: string | null
  readonly referred_by?: UserId
  readonly signature?: string
}

/** Makes a guest's row a member's, once; returns false if it is not a guest's any more. Refuses email_used. */
export async function register(tx: Tx, id: UserId, registration: Registration): Promise<boolean> {
  const updated = await refuseEmailUsed(() =>
    tx
      .updateTable('users')
      .set({
        nick: registration.nick,
        email: registration.email,
        password_hash: registration.password_hash,
        declared_role: registration.role,
        role: registration.role,
        birthday: registration.birthday,
        country: registration.country ?? null,
        region: registration.region ?? null,
        ref_code: newRefCode(),
        referred_by: registration.referred_by ?? null,
        signature: registration.signature ?? null,
        registered_at: tx.now,
        last_visit: tx.now,
      })
      .where('id', '=', id)
      .where('role', 'is', null)
      .where('erased_at', 'is', null)
      .executeTakeFirst(),
  )
  forgetAfterCommit(tx, id)
  return updated.numUpdatedRows === 1n
}

/** If two users take the same address at the same moment, the unique index refuses the second user. */
async function refuseEmailUsed<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if ((error as { constraint?: string }).constraint === 'users_email') refuse('email_used')
    throw error
  }
}

/** Changes a row and returns it. Refuses email_used. */
export async function changeUser(
  tx: Tx,
  id: UserId,
  change: Updateable<Tables['users']>,
): Promise<UserRow> {
  await refuseEmailUsed(() =>
    tx
      .updateTable('users')
      .set(change)
      .where('id', '=', id)
      .where('erased_at', 'is', null)
      .execute(),
  )
  forgetAfterCommit(tx, id)
  const row = await userById(tx, id)
  assert(row, 'a user whose record changes has a row')
  return row
}

/** Marks that the present end of Premium is announced; returns that end once, and undefined while Premium goes on. */
export async function markPremiumEnd(tx: Tx, id: UserId): Promise<Temporal.Instant | undefined> {
  const row = await tx
    .updateTable('users')
    .set((expression) => ({ premium_end_announced: expression.ref('premium_until') }))
    .where('id', '=', id)
    .where('premium_until', '<=', tx.now)
    .where('erased_at', 'is', null)
    .where('premium_end_announced', 'is distinct from', (expression) =>
      expression.ref('premium_until'),
    )
    .returning('premium_until')
    .executeTakeFirst()
  if (row) forgetAfterCommit(tx, id)
  return row?.premium_until ?? undefined
}
