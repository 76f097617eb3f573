import type { Tx } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import { openWords, sealWords } from './sealed-words.ts'
import { clearReporter, reportsFrom } from './store.ts'

const REPORTS_A_STEP = 500

/** An erasure removes the reporter and the contact from the reports that the user made inside the product. */
export async function eraseContacts(tx: Tx, user_id: UserId): Promise<'more' | void> {
  const rows = await reportsFrom(tx, user_id, REPORTS_A_STEP)
  for (const { report_id, sealed } of rows) {
    const words = openWords(tx.app, sealed)
    await clearReporter(tx, report_id, sealWords(tx.app, { ...words, contact: '' }))
  }
  return rows.length < REPORTS_A_STEP ? undefined : 'more'
}
