import { otherRole } from '@duet/protocol/kernel/roles.ts'
import type { Ack, Input } from '@duet/protocol'
import type { App } from '../../core/app.ts'
import type { Member } from '../../core/viewer.ts'
import { wireTime } from '../../lib/clock.ts'
import { refuse } from '../../lib/refusal.ts'
import { areBlocked } from '../blocks/index.ts'
import { lockUser } from '../identity/index.ts'
import { setting } from '../settings/index.ts'
import { findVanishTime } from './queries.ts'
import { vanishTime } from './rules.ts'
import { vanishAt } from './vanishing/vanish.ts'
import { idsByTime } from './vanishing/vanish-store.ts'
import * as store from './store.ts'

/** Marks messages of the interlocutor read. Other ids change nothing, and a repeat changes nothing. */
export function readMessages(
  app: App,
  viewer: Pick<Member, 'id' | 'role' | 'premium' | 'age_confirmed'>,
  { dialogId: dialog_id, message_ids: ids }: Input<'READ_MESSAGE'>,
): Promise<Ack<'READ_MESSAGE'>> {
  return app.transact(async (tx) => {
    const own = { dialog_id, user_id: viewer.id }
    // A confirmation at this moment comes before the reading, or finds what was read.
    const isLocked =
      !viewer.age_confirmed && (await lockUser(tx, viewer.id))?.age_confirmed_at === null
    const view = await store.lockView(tx, own)
    if (!view || view.hidden) refuse('not_found')
    const sender = { sender: otherRole(viewer.role), reader_premium: viewer.premium }
    const vanish_at = vanishTime(sender, tx.now, setting(app, 'vanish_after')) ?? null
    const read = await store.markRead(tx, own, {
      ids,
      vanish_at,
      pictures_locked: isLocked,
    })
    // Over a block the sender hears nothing of the reader.
    const { interlocutor_id } = view
    const isBlocked = await areBlocked(tx, viewer.id, interlocutor_id)
    const notified = isBlocked ? [viewer.id] : [interlocutor_id, viewer.id]
    for (const message_ids of idsByTime(read))
      for (const user_id of notified)
        await tx.notify(user_id, 'messenger_read_message', { dialog_id, message_ids })
    if (read.length > 0 && vanish_at) tx.afterCommit(() => vanishAt(app, vanish_at))
    const first = await findVanishTime(tx, viewer.id, dialog_id, ids)
    return first ? { vanish_at: wireTime(first) } : {}
  })
}
