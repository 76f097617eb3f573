import type { Ack, Input } from '@duet/protocol'
import { refuse } from '../../lib/refusal.ts'
import type { App } from '../../core/app.ts'
import type { Member } from '../../core/viewer.ts'
import { shownBalances } from '../ledger/index.ts'
import { happen } from './happen.ts'
import { liveCall, sideOf } from './live.ts'
import { receipt } from './call/receipt.ts'
import { callById } from './store.ts'
import { receiptOf } from './views.ts'

/** Ends the call and gives its receipt; of one's own closed call it gives the stored one, so repeating is harmless. */
export async function leaveSession(
  app: App,
  viewer: Member,
  input: Input<'BREAK_SESSION'>,
): Promise<Ack<'BREAK_SESSION'>> {
  const { session_id, break: toBreak, next } = input
  const live = liveCall(app, session_id)
  const side = live && sideOf(live.call, viewer.id)
  if (live && side) {
    const hers = side === 'girl' && toBreak === true
    const his = side === 'guy' && next === true
    await happen(app, live, { kind: 'left', side, break: hers, next: his })
  }
  return storedReceipt(app, viewer, session_id)
}

async function storedReceipt(
  app: App,
  viewer: Member,
  session_id: number,
): Promise<Ack<'BREAK_SESSION'>> {
  const call = (await callById(app.db, session_id))?.call
  const side = call && sideOf(call, viewer.id)
  if (!side || call.status !== 'closed') refuse('not_found')
  const { balance } = await shownBalances(app, app.db, viewer.id)
  return receiptOf(receipt(call, side), side, balance)
}
