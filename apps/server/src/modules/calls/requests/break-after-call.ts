import type { App } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import { partyOfCurrentCall } from '../call-registry.ts'
import { dispatchEvent } from '../process.ts'
import { callById } from '../queries.ts'

/** Stores the girl's wish for a break in her current call. False: the call has ended, or ended before the wish came. */
export async function setBreakAfterCall(app: App, girl_id: UserId, on: boolean): Promise<boolean> {
  const party = partyOfCurrentCall(app, girl_id)
  if (party?.side !== 'girl') return false
  const { session_id } = party.call
  await dispatchEvent(app, session_id, { type: 'break_changed', on })
  // An earlier event may have closed the call, so that the wish was not stored. The row shows whether it
  // was.
  return (await callById(app.db, session_id))?.call.break_set === on
}
