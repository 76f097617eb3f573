import type { Ack, Input } from '@duet/protocol'
import type { App } from '../../core/app.ts'
import type { Member } from '../../core/viewer.ts'
import { refuse } from '../../lib/refusal.ts'
import { areBlocked } from '../blocks/index.ts'
import { dialogOf, viewOf } from './queries.ts'

/** Shows the interlocutor that the viewer is typing; nothing is stored. */
export async function typing(
  app: App,
  viewer: Pick<Member, 'id'>,
  { dialogId: dialog_id }: Input<'TYPING'>,
): Promise<Ack<'TYPING'>> {
  const dialog = (await dialogOf(app.db, viewer.id, dialog_id)) ?? refuse('not_found')
  const { interlocutor_id } = dialog
  // The other one learns neither of a block nor of a dialog that has no message yet.
  const isSeen = (await viewOf(app.db, interlocutor_id, dialog_id))?.hidden === false
  if (isSeen && !(await areBlocked(app.db, viewer.id, interlocutor_id)))
    app.emit(interlocutor_id, 'messenger_typing', { dialog_id, user_id: viewer.id })
  return {}
}
