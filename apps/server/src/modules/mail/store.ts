import { sql } from 'kysely'
import type { Tx } from '../../core/app.ts'
import type { MailPurpose } from './templates.ts'

/** Counts a mail to an address in the present hour; returns how many it has had. Concurrent ones are counted one after the other. */
export async function countMail(tx: Tx, address: Buffer, purpose: MailPurpose): Promise<number> {
  const hour = tx.now.round({ smallestUnit: 'hour', roundingMode: 'floor' })
  const { used } = await tx
    .insertInto('mail_budgets')
    .values({ hour, address, purpose, used: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['hour', 'address', 'purpose'])
        .doUpdateSet({ used: sql`mail_budgets.used + 1` }),
    )
    .returning('used')
    .executeTakeFirstOrThrow()
  return used
}
