import { sql } from 'kysely'
import type { Tx } from '../../../core/app.ts'
import type { Db } from '../../../core/db.ts'
import type { UserId } from '../../../core/ids.ts'

/** Long enough for an owner who reads mails once a week. */
export const FORMER_EMAIL_DAYS = 7

/** Keeps an address that its user gave up, because another person may have changed it. */
export async function keepFormerEmail(tx: Tx, user_id: UserId, email: string): Promise<void> {
  const until = tx.now.add({ hours: FORMER_EMAIL_DAYS * 24 })
  await tx
    .insertInto('former_emails')
    .values({ user_id, email, until })
    .onConflict((conflict) => conflict.columns(['user_id', 'email']).doUpdateSet({ until }))
    .execute()
}

/** The account was taken back, or the former addresses are no way back any more. */
export async function removeFormerEmails(tx: Tx, user_id: UserId): Promise<void> {
  await tx.deleteFrom('former_emails').where('user_id', '=', user_id).execute()
}

/** The user who gave up this address a short time ago. */
export async function userOfFormerEmail(
  db: Db,
  email: string,
  now: Temporal.Instant,
): Promise<UserId | undefined> {
  const row = await db
    .selectFrom('former_emails')
    .select('user_id')
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .where('until', '>', now)
    .limit(1)
    .executeTakeFirst()
  return row?.user_id
}

/** The addresses that the user gave up a short time ago. */
export async function readFormerEmails(
  db: Db,
  user_id: UserId,
  now: Temporal.Instant,
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('former_emails')
    .select('email')
    .where('user_id', '=', user_id)
    .where('until', '>', now)
    .execute()
  return rows.map(({ email }) => email)
}
