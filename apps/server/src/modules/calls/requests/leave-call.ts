import type { Ack, Input } from '@duet/protocol'
import { refuse } from '../../../lib/refusal.ts'
import type { App } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import type { Member } from '../../../core/viewer.ts'
import { shownBalances } from '../../ledger/index.ts'
import { beginBreakNow } from '../../matchmaking/index.ts'
import { registeredCall } from '../call-registry.ts'
import { dispatchEvent } from '../process.ts'
import { callById } from '../queries.ts'
import { findSide } from '../rules/call.ts'
import { receipt } from '../rules/receipt.ts'
import { setLateBreak } from '../store.ts'
import { getReceipt } from '../views.ts'

/**
 * Ends the call and returns the receipt. For a closed call of the viewer it returns the stored receipt, so
 * a repeat is harmless.
 */
export async function leaveCall(
  app: App,
  viewer: Member,
  input: Input<'BREAK_SESSION'>,
): Promise<Ack<'BREAK_SESSION'>> {
  const { session_id, break: wantsBreak, next: wantsNext } = input
  const registered = registeredCall(app, session_id)
  const side = registered && findSide(registered.stored.call, viewer.id)
  if (side) {
    await dispatchEvent(app, session_id, {
      type: 'left',
      side,
      break: side === 'girl' && wantsBreak === true,
      next: side === 'guy' && wantsNext === true,
    })
  }
  if (wantsBreak && viewer.role === 'girl') await breakAfterEnd(app, viewer.id, session_id)
  return storedReceipt(app, viewer, session_id)
}

/** A call that closed otherwise in the same moment put her back into search: her wish ends that search before the answer. */
async function breakAfterEnd(app: App, girl_id: UserId, session_id: number): Promise<void> {
  const call = (await callById(app.db, session_id))?.call
  if (call?.girl_id !== girl_id || call.status !== 'closed' || call.break_set) return
  await beginBreakNow(app, girl_id, (tx) => setLateBreak(tx, session_id, girl_id))
}

async function storedReceipt(
  app: App,
  viewer: Member,
  sessionId: number,
): Promise<Ack<'BREAK_SESSION'>> {
  const call = (await callById(app.db, sessionId))?.call
  const side = call && findSide(call, viewer.id)
  if (!side || call.status !== 'closed') refuse('not_found')
  const { balance } = await shownBalances(app, app.db, viewer.id)
  return getReceipt(receipt(call, side), side, balance)
}
