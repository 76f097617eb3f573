import type { Ack, Input } from '@duet/protocol'
import type { App } from '../../core/app.ts'
import type { Member } from '../../core/viewer.ts'
import { refuse } from '../../lib/refusal.ts'
import { areBlocked } from '../blocks/index.ts'
import { findDialog } from './queries.ts'

/** Shows the interlocutor that the viewer is typing; nothing is stored. */
export async function typing(
  app: App,
  viewer: Pick<Member, 'id'>,
  { dialogId: dialog_id }: Input<'TYPING'>,
): Promise<Ack<'TYPING'>> {
  const dialog =
    (await findDialog(app.db, { dialog_id, user_id: viewer.id })) ?? refuse('not_found')
  const { interlocutor_id } = dialog
  // The other user learns neither of a block nor of a dialog without a message.
  const isSeen = await findDialog(app.db, { dialog_id, user_id: interlocutor_id })
  if (isSeen && !(await areBlocked(app.db, viewer.id, interlocutor_id)))
    app.emit(interlocutor_id, 'messenger_typing', { dialog_id, user_id: viewer.id })
  return {}
}
