import type { Ack, Input } from '@duet/protocol'
import type { App, AppContext } from '../../core/app.ts'
import { perApp } from '../../core/app-state.ts'
import type { Member } from '../../core/viewer.ts'
import { refuse } from '../../lib/refusal.ts'
import { areBlocked } from '../blocks/index.ts'
import { TYPING_LIMIT } from '../calls/index.ts'
import { findDialog } from './queries.ts'

const SIGNING_USERS_MAX = 50_000

const signs = perApp(
  'messenger: signs of typing',
  'how many signs a user sent just now; a new process permits two more',
  (app: AppContext) => app.createRateLimiter(SIGNING_USERS_MAX),
)

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
  if (!isSeen || (await areBlocked(app.db, viewer.id, interlocutor_id))) return {}
  const nowMs = app.clock.now().epochMilliseconds
  if ((await signs(app).take(`${dialog_id} ${viewer.id}`, TYPING_LIMIT, nowMs)) === 0)
    app.emit(interlocutor_id, 'messenger_typing', { dialog_id, user_id: viewer.id })
  return {}
}
