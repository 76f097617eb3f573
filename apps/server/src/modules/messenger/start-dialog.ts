import type { Ack, Input } from '@duet/protocol'
import type { App, Tx } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { Member } from '../../core/viewer.ts'
import { permission, refuse } from '../../lib/refusal.ts'
import { nextMessageCharge } from '../allowances/index.ts'
import { areBlocked, findMeetable } from '../blocks/index.ts'
import type { UserRow } from '../identity/index.ts'
import type { ContactFields } from '../profile/index.ts'
import { setting } from '../settings/index.ts'
import {
  decideWriting,
  findWritingRefusal,
  payer,
  writingFacts,
  type WritingFacts,
} from './rules.ts'
import { findDialog, readLikes, rightsOfPair } from './queries.ts'
import { notifyDialog } from './stored-changes.ts'
import * as store from './store.ts'

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
  const refusal = findWritingRefusal(firstWritingFacts(tx.app, viewer, false))
  if (refusal) refuse(refusal)
}

/** The likes of a girl, and whether this viewer may write to her, for her page. */
export async function contactFields(
  app: App,
  viewer: Member | undefined,
  girlId: UserId,
): Promise<ContactFields> {
  const counted = await readLikes(app.db, viewer?.id ?? 0, girlId)
  if (viewer?.role !== 'guy') return counted
  const facts = await readFacts(app, viewer, girlId)
  const charge = await nextMessageCharge(app, app.db, { id: viewer.id, ...payer(facts) })
  const writing = decideWriting(facts, charge)
  const can_write = permission(writing.type === 'refused' ? writing.refusal : undefined)
  return { ...counted, can_write }
}

async function readFacts(app: App, guy: Member, girl_id: UserId): Promise<WritingFacts> {
  const rights = await rightsOfPair(app.db, guy.id, girl_id)
  return rights
    ? writingFacts(rights, app.clock.now(), setting(app, 'first_writes_unanswered'))
    : firstWritingFacts(app, guy, await areBlocked(app.db, guy.id, girl_id))
}

/** The facts of a guy and a girl without a dialog, who may see each other. */
export function firstWritingFacts(
  app: App,
  { role, premium }: Member,
  is_blocked: boolean,
): WritingFacts {
  return {
    writer: role,
    is_premium: premium,
    is_blocked,
    is_gone: false,
    is_invited: false,
    has_answer: false,
    unanswered: 0,
    unanswered_max: setting(app, 'first_writes_unanswered'),
  }
}
