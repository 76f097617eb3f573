import { sql } from 'kysely'
import type { Tx } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import type { KycApplicant, KycNotice } from '../../../integrations/kyc/kyc.ts'

/** False: the notice was received before. */
export async function addNotice(tx: Tx, notice: KycNotice): Promise<boolean> {
  const { digest, applicant_id, correlation_id, type, created_at } = notice
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('kyc_notices')
    .values({ digest, applicant_id, correlation_id, type, created_at, received_at: tx.now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Stores what is known of an applicant now; false: a newer notice has counted already, or it is another user's. */
export async function keepApplicant(
  tx: Tx,
  { applicant_id, answer, is_final }: KycApplicant,
  { user_id, notice_at }: { readonly user_id: UserId; readonly notice_at: Temporal.Instant },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    insert into kyc_applicants as known (applicant_id, user_id, notice_at, answer, is_final)
    values (${applicant_id}, ${user_id}, ${notice_at}, ${answer}, ${is_final})
    on conflict (applicant_id) do update
      set notice_at = excluded.notice_at, answer = excluded.answer, is_final = excluded.is_final
      where known.user_id = excluded.user_id and known.notice_at <= excluded.notice_at`.execute(tx)
  return numAffectedRows === 1n
}
