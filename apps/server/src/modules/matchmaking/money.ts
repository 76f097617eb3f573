import { refuse } from '../../lib/refusal.ts'
import type { App } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { Db } from '../../core/tx.ts'
import { missingOnWire } from '../ledger/index.ts'
import { lacking } from './queries.ts'

/** Nobody searches or accepts who could not pay one second. */
export async function refuseUnpaid(app: App, db: Db, guy_id: UserId): Promise<void> {
  const missing = await lacking(app, db, guy_id)
  if (missing > 0n) refuse('no_balance', { missing: missingOnWire('diamond', missing) })
}
