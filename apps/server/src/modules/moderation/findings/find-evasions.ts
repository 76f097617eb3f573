import type { App, Tx } from '../../../core/app.ts'
import type { DomainEvents } from '../../../core/domain-events.ts'
import { INSTRUMENT_ACCOUNTS_MAX } from '../../../lib/payments/instrument-accounts.ts'
import { bannedSince, readBanned, readPairs, toFinding } from './evasion-pairs.ts'
import { addFindings } from './finding-store.ts'
import { findPictureEvasions } from './picture-evasions.ts'

/**
 * The job runs each ten minutes and looks back further than that, so a run that failed leaves nothing out. What is found
 * again is already known by its key.
 */
const WINDOW_HOURS = 1

/** Finds accounts of banned users, and girls who use the device of a guy. It bans no user. */
export async function findEvasions(app: App): Promise<void> {
  const since = app.clock.now().subtract({ hours: WINDOW_HOURS })
  const pairs = await readPairs(app.db, since)
  await app.transact((tx) => addFindings(tx, pairs.map(toFinding)))
  await findPictureEvasions(app, { since, owners: bannedSince(since) })
}

/** A purchase was paid with the card or wallet of a banned user. */
export async function followPurchase(
  tx: Tx,
  { user_id, instrument }: DomainEvents['purchase_paid'],
): Promise<void> {
  if (instrument === null) return
  const rows = await tx
    .selectFrom('orders')
    .select('user_id')
    .distinct()
    .where('instrument', '=', instrument)
    .where('user_id', '!=', user_id)
    .limit(INSTRUMENT_ACCOUNTS_MAX)
    .execute()
  if (rows.length === INSTRUMENT_ACCOUNTS_MAX) return
  const banned = await readBanned(
    tx,
    rows.map((row) => row.user_id),
  )
  const pairs = [...banned].map((other_id) => ({
    kind: 'banned_instrument' as const,
    user_id,
    other_id,
  }))
  await addFindings(tx, pairs.map(toFinding))
}
