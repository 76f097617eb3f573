import type { Tx } from '../../core/app.ts'
import type { DomainEvents } from '../../core/domain-events.ts'
import { setTalk } from './store.ts'

/** A call that never connected is no talk. */
export async function recordTalk(
  tx: Tx,
  { guy_id, girl_id, connected }: DomainEvents['call_closed'],
): Promise<void> {
  if (connected) await setTalk(tx, guy_id, girl_id)
}
