import { type Selectable, sql } from 'kysely'
import type { Tx } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import { assert } from '../../../lib/assert.ts'
import type { ProcessStamp } from '../../../platform/process/process.ts'
import type { Tables } from '../../../core/tables.gen.ts'
import type { CheckProvider, CheckReason, IdentityCheck } from './check-rules.ts'

/** All writes of checks. Each write is one statement with its condition. */

export async function nextCheckId(tx: Tx): Promise<number> {
  const { rows } = await sql<{ id: number }>`select nextval('identity_check_ids') as id`.execute(tx)
  return rows[0]!.id
}

function getColumns({ request, ...check }: IdentityCheck) {
  return {
    ...check,
    document_type: request?.document_type ?? null,
    document_country: request?.document_country ?? null,
    gesture: request?.gesture ?? null,
    challenge_id: request?.challenge_id ?? null,
    consent_version: request?.consent_version ?? null,
    consent_at: request?.consent_at ?? null,
  }
}

export function toCheck(row: Selectable<Tables['identity_checks']>): IdentityCheck {
  const { check_id, user_id, opened_at, decided_at, decided_by, expires_at, warnings } = row
  return {
    check_id,
    user_id,
    provider: row.provider as CheckProvider,
    state: row.state as IdentityCheck['state'],
    reason: row.reason as CheckReason | null,
    asked_again: row.asked_again,
    comment: row.comment,
    request:
      row.challenge_id === null
        ? null
        : {
            challenge_id: row.challenge_id,
            document_type: row.document_type!,
            document_country: row.document_country!,
            gesture: row.gesture!,
            consent_version: row.consent_version!,
            consent_at: row.consent_at!,
          },
    opened_at,
    decided_at,
    decided_by,
    expires_at,
    warnings,
    wake_at: row.wake_at,
    closed_at: row.closed_at,
  }
}

/** False if the user has a check in this state already, or if another check used the challenge. */
export async function insertCheck(
  tx: Tx,
  check: IdentityCheck,
  stamp: ProcessStamp,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('identity_checks')
    .values({ ...getColumns(check), ...stamp })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** The runtime holds the lock of the row. A closed check stays closed. An outdated fence writes nothing. */
export async function updateCheck(
  tx: Tx,
  check: IdentityCheck,
  { fence, version }: Pick<ProcessStamp, 'fence' | 'version'>,
): Promise<void> {
  const { state, reason, asked_again, comment, decided_at, decided_by } = check
  const { expires_at, warnings, wake_at, closed_at } = check
  const { numUpdatedRows } = await tx
    .updateTable('identity_checks')
    .set({
      state,
      reason,
      asked_again,
      comment,
      decided_at,
      decided_by,
      expires_at,
      warnings,
      wake_at,
      closed_at,
      version,
    })
    .where('check_id', '=', check.check_id)
    .where('fence', '=', fence)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  assert(numUpdatedRows === 1n, 'the row of an open check is updated by its owner')
}

/** Until this transaction ends, no other transaction can begin or decide a check of this user. */
export async function lockUserChecks(tx: Tx, user_id: UserId): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`identity checks ${user_id}`}, 0))`.execute(
    tx,
  )
}
