import type { Ack, Input } from '@duet/protocol'
import type { App, Tx } from '../../core/app.ts'
import type { Member } from '../../core/viewer.ts'
import { refuse } from '../../lib/refusal.ts'
import { findMeetable } from '../blocks/index.ts'
import type { UserRow } from '../identity/index.ts'
import { mayWrite } from './rules.ts'
import { findDialog } from './queries.ts'
import { notifyDialog } from './stored-changes.ts'
import * as store from './store.ts'
import { firstWritingFacts } from './rights/writing-facts.ts'

/**
 * Opens a dialog with a user of the other role, if the viewer may write to them. The other user does not
 * see the dialog before the first message. Refuses `dialog_exists` with its id. A dialog that the viewer
 * deleted is opened again, empty.
 */
export function startDialog(
  app: App,
  viewer: Member,
  { interlocutor_id }: Input<'MESSENGER_START_DIALOG'>,
): Promise<Ack<'MESSENGER_START_DIALOG'>> {
  return app.transact(async (tx) => {
    // Locks the two users: until the commit neither a block nor a second dialog of them begins.
    const other = await findMeetable(tx, viewer, interlocutor_id)
    if (other.role === viewer.role) refuse('not_found')
    const [guy_id, girl_id] = viewer.role === 'guy' ? [viewer.id, other.id] : [other.id, viewer.id]
    const existing = await store.lockPairDialog(tx, { guy_id, girl_id })
    if (existing !== undefined) {
      const view = { dialog_id: existing, user_id: viewer.id }
      if (await findDialog(tx, view)) refuse('dialog_exists', { dialog_id: existing })
      await store.showDialog(tx, view)
    } else refuseFirst(tx, viewer, other)
    const dialog_id = existing ?? (await store.insertDialog(tx, { guy_id, girl_id }, viewer.id))
    await notifyDialog(tx, { dialog_id, user_id: viewer.id })
    return { dialog_id }
  })
}

function refuseFirst(tx: Tx, viewer: Member, other: UserRow): void {
  // A girl who is not verified has no page: she is met only where she wrote first.
  if (viewer.role === 'guy' && other.verified_at === null) refuse('not_found')
  const refusal = mayWrite(firstWritingFacts(tx.app, viewer))
  if (refusal) refuse(refusal)
}
