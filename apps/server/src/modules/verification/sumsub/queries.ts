import type { Db } from '../../../core/db.ts'
import type { UserId } from '../../../core/ids.ts'

/** Whether the provider declined this user for good. */
export async function hasFinalAnswer(db: Db, user_id: UserId): Promise<boolean> {
  const row = await db
    .selectFrom('kyc_applicants')
    .select('applicant_id')
    .where('user_id', '=', user_id)
    .where('is_final', '=', true)
    .executeTakeFirst()
  return row !== undefined
}
