import type { Tx } from '../../core/app.ts'
import type { MailPurpose } from './templates.ts'

/** The mails that an address has had in the present hour. */
export async function usedBudget(tx: Tx, address: Buffer, purpose: MailPurpose): Promise<number> {
  const row = await tx
    .selectFrom('mail_budgets')
    .select('used')
    .where('hour', '=', tx.now.round({ smallestUnit: 'hour', roundingMode: 'floor' }))
    .where('address', '=', address)
    .where('purpose', '=', purpose)
    .executeTakeFirst()
  return row?.used ?? 0
}
