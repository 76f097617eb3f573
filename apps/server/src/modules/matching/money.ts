import { toWire, unitsOf } from '../../lib/money.ts'
import { refuse } from '../../lib/refusal.ts'
import type { App, Reader, UserId } from '../../context.ts'
import { lacking } from './queries.ts'

/** Nobody searches or accepts who could not pay one second. */
export async function refuseUnpaid(app: App, reader: Reader, guy_id: UserId): Promise<void> {
  const missing = await lacking(app, reader, guy_id)
  if (missing > 0n) refuse('no_balance', { missing: missingOnWire(missing) })
}

/** Rounded up to the wire's last decimal: whoever adds what is missing has enough. */
function missingOnWire(units: bigint): string {
  const finest = unitsOf.diamond / 10_000n
  return toWire('diamond', ((units + finest - 1n) / finest) * finest)
}
