import type { Ack, Input } from '@duet/protocol'
import { refuse } from '../../../lib/refusal.ts'
import type { App } from '../../../core/app.ts'
import type { Member } from '../../../core/viewer.ts'
import { shownBalances } from '../../ledger/index.ts'
import { registeredCall } from '../call-registry.ts'
import { dispatchEvent } from '../process.ts'
import { callById } from '../queries.ts'
import { findSide } from '../rules/call.ts'
import { receipt } from '../rules/receipt.ts'
import { getReceipt } from '../views.ts'

/** Ends the call and returns the receipt. For a closed call of the viewer it returns the stored one, so a repetition is harmless. */
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
  return storedReceipt(app, viewer, session_id)
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
