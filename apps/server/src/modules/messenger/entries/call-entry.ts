import { sql } from 'kysely'
import type { App, Tx } from '../../../core/app.ts'
import type { DomainEvents } from '../../../core/domain-events.ts'
import { callKinds } from '../../calls/index.ts'
import { areBlocked } from '../../blocks/index.ts'
import { userById } from '../../identity/index.ts'
import { addNotice } from '../../notices/index.ts'
import { reachAway } from '../away/reach-away.ts'
import { lockPairDialog, type Pair } from '../store.ts'
import { notifyMessage } from '../stored-changes.ts'
import { insertEntry } from './entry-store.ts'

type ClosedCall = Pick<
  DomainEvents['call_closed'],
  'session_id' | 'guy_id' | 'girl_id' | 'kind' | 'state' | 'seconds' | 'connected'
>
type MissedCall = DomainEvents['call_missed']

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

/** The same for a call that rang in vain. */
export async function enqueueMissedCall(tx: Tx, missed: MissedCall): Promise<void> {
  await tx.enqueue('call entry', missed, missed.pair_id)
}

/** A call as its entry was enqueued. An earlier version did not know `kind` and `state`. */
type EnqueuedCall = ClosedCall | Omit<ClosedCall, 'kind' | 'state'> | MissedCall

/**
 * Writes a call into the dialog of the two. A random call of strangers opens no dialog: the history has the
 * call.
 */
export function writeCallEntry(app: App, enqueued: EnqueuedCall): Promise<void> {
  return app.transact((tx) =>
    'pair_id' in enqueued ? writeMissedCall(tx, enqueued) : writeClosedCall(tx, enqueued),
  )
}

async function writeClosedCall(tx: Tx, enqueued: Exclude<EnqueuedCall, MissedCall>): Promise<void> {
  const { session_id, guy_id, girl_id, seconds, connected } = enqueued
  const { kind, state } = 'kind' in enqueued ? enqueued : await callKinds(tx, session_id)
  if (kind === 'random' && !connected) return
  const isPrivate = kind === 'direct' || state === 'private'
  if (!(await canWrite(tx, { guy_id, girl_id }, isPrivate))) return
  // A delivery may be repeated.
  if (await hasCallEntry(tx, { session_id })) return
  // Both had accepted this call: a call without a connection is short, and not missed.
  const facts = { session_id, kind: state, seconds, missed: false }
  await writeEntry(tx, { guy_id, girl_id }, guy_id, facts, `missed_call:${session_id}`)
}

async function writeMissedCall(
  tx: Tx,
  { pair_id, guy_id, girl_id, caller }: MissedCall,
): Promise<void> {
  if (!(await canWrite(tx, { guy_id, girl_id }, true))) return
  if (await hasCallEntry(tx, { pair_id })) return
  const facts = { pair_id, kind: 'private' as const, seconds: 0, missed: true }
  const callerId = caller === 'guy' ? guy_id : girl_id
  await writeEntry(tx, { guy_id, girl_id }, callerId, facts, `missed_call:${pair_id}`)
}

/** Whether the two get an entry; their dialog is locked, if there is one. */
async function canWrite(tx: Tx, pair: Pair, opensDialog: boolean): Promise<boolean> {
  const { guy_id, girl_id } = pair
  for (const id of [guy_id, girl_id]) if ((await userById(tx, id))?.erased_at !== null) return false
  if ((await lockPairDialog(tx, pair)) !== undefined) return true
  return opensDialog && !(await areBlocked(tx, guy_id, girl_id))
}

async function writeEntry(
  tx: Tx,
  { guy_id, girl_id }: Pair,
  sender_id: number,
  facts: { readonly missed: boolean },
  key: string,
): Promise<void> {
  const entry = {
    guy_id,
    girl_id,
    sender_id,
    type: 'call',
    facts,
    is_unread: facts.missed,
  } as const
  const message = await insertEntry(tx, entry)
  for (const user_id of [guy_id, girl_id])
    await notifyMessage(tx, user_id, { ...message, sender_id, with_dialog: true })
  if (!facts.missed) return
  const calleeId = guy_id + girl_id - sender_id
  await reachAway(tx, [{ ...message, user_id: calleeId, is_call: true }])
  await addNotice(tx, { user_id: calleeId, kind: 'missed_call', user: sender_id, key })
}

/** Whether the entry of a call, or of a missed call, is in its dialog. */
async function hasCallEntry(
  tx: Tx,
  of: { readonly session_id: number } | { readonly pair_id: string },
): Promise<boolean> {
  const isEntry =
    'pair_id' in of
      ? sql`entry ? 'pair_id' and entry ->> 'pair_id' = ${of.pair_id}`
      : sql`entry ->> 'session_id' = ${String(of.session_id)}`
  const { rows } = await sql`select from messages where type = 'call' and ${isEntry}`.execute(tx)
  return rows.length > 0
}
