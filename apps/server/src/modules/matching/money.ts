import { refuse } from '../../lib/refusal.ts'
import type { App, Reader, UserId } from '../../context.ts'
import { missingOnWire } from '../wallet/index.ts'
import { lacking } from './queries.ts'

/** Nobody searches or accepts who could not pay one second. */
export async function refuseUnpaid(app: App, reader: Reader, guy_id: UserId): Promise<void> {
  const missing = await lacking(app, reader, guy_id)
  if (missing > 0n) refuse('no_balance', { missing: missingOnWire('diamond', missing) })
}
