import type { Tx } from '../../../core/app.ts'
import type { RequestContext } from '../../../core/request-context.ts'
import type { Guest } from '../../../core/viewer.ts'
import { connectionAttributes } from '../login/connection-attributes.ts'
import { ensureGuestRow } from '../store.ts'

/** The row of a guest whose first stored action is in this transaction (I1). */
export async function writeGuestRow(tx: Tx, viewer: Guest, context: RequestContext): Promise<void> {
  await ensureGuestRow(tx, viewer, connectionAttributes(tx.app, viewer.id, context))
}
