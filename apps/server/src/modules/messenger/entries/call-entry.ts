import type { App, Tx } from '../../../core/app.ts'
import type { DomainEvents } from '../../../core/domain-events.ts'
import { callKinds } from '../../calls/index.ts'
import { areBlocked } from '../../blocks/index.ts'
import { userById } from '../../identity/index.ts'
import { addNotice } from '../../notices/index.ts'
import { reachAway } from '../away/reach-away.ts'
import { hasCallEntry } from '../queries.ts'
import { lockPairDialog } from '../store.ts'
import { notifyMessage } from '../stored-changes.ts'
import { insertEntry } from './entry-store.ts'

type ClosedCall = Pick<
  DomainEvents['call_closed'],
  'session_id' | 'guy_id' | 'girl_id' | 'kind' | 'state' | 'seconds' | 'connected'
>

/**
 * The entry is written from the outbox, after the commit of the call. The transaction of a call locks
 * accounts first. Everywhere else a dialog is locked before accounts.
 */
export async function enqueueCallEntry(tx: Tx, call: DomainEvents['call_closed']): Promise<void> {
  if (call.recovered) return
  const { session_id, guy_id, girl_id, kind, state, seconds, connected } = call
  const closed: ClosedCall = { session_id, guy_id, girl_id, kind, state, seconds, connected }
  await tx.enqueue('call entry', closed, String(session_id))
}

/** A call as its entry was enqueued. An earlier version did not know `kind` and `state`. */
type EnqueuedCall = ClosedCall | Omit<ClosedCall, 'kind' | 'state'>

/**
 * Writes a call into the dialog of the two. A random call of strangers opens no dialog: the history has the
 * call.
 */
export function writeCallEntry(app: App, enqueued: EnqueuedCall): Promise<void> {
  return app.transact(async (tx) => {
    const { session_id, guy_id, girl_id, seconds, connected } = enqueued
    const { kind, state } = 'kind' in enqueued ? enqueued : await callKinds(tx, session_id)
    if (kind === 'random' && !connected) return
    for (const id of [guy_id, girl_id]) if ((await userById(tx, id))?.erased_at !== null) return
    const hasDialog = (await lockPairDialog(tx, { guy_id, girl_id })) !== undefined
    const isPrivate = kind === 'direct' || state === 'private'
    if (!hasDialog && (!isPrivate || (await areBlocked(tx, guy_id, girl_id)))) return
    // A delivery may be repeated.
    if (await hasCallEntry(tx, session_id)) return
    const facts = { session_id, kind: state, seconds, missed: !connected }
    const message = await insertEntry(tx, {
      guy_id,
      girl_id,
      sender_id: guy_id,
      type: 'call',
      facts,
      is_unread: !connected,
    })
    for (const user_id of [guy_id, girl_id])
      await notifyMessage(tx, user_id, { ...message, sender_id: guy_id, with_dialog: true })
    if (connected) return
    await reachAway(tx, [{ ...message, user_id: girl_id }])
    const key = `missed_call:${session_id}`
    await addNotice(tx, { user_id: girl_id, kind: 'missed_call', user: guy_id, key })
  })
}
