import type { Tx } from '../../../core/app.ts'

/** Marks a captcha as passed; false if it was. */
export async function usePassed(
  tx: Tx,
  once_key: string,
  expires_at: Temporal.Instant,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('passed_captchas')
    .values({ once_key, expires_at })
    .onConflict((conflict) => conflict.column('once_key').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}
