import type { Ack, Input } from '@duet/protocol'
import type { App } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import type { Member } from '../../../core/viewer.ts'
import { refuse } from '../../../lib/refusal.ts'
import { textShownTo } from '../../calls/index.ts'
import { messageViews } from '../get-dialogs.ts'
import { findDialog, messageById } from '../queries.ts'
import { findTranslation } from './find-translation.ts'

/** Translates a message of an own dialog, or a text of an own call. Refuses method_unavailable where no service can. */
export async function translate(
  app: App,
  viewer: Member,
  input: Input<'TRANSLATE'>,
): Promise<Ack<'TRANSLATE'>> {
  const translator = app.translator ?? refuse('method_unavailable')
  const text = (await readableText(app, viewer.id, input)) ?? refuse('not_found')
  if (!/\p{L}/u.test(text)) return { translate_message: text }
  const translation =
    (await findTranslation(app, translator, {
      reader: { kind: 'user', id: viewer.id },
      text,
      to: input.locale,
    })) ?? refuse('method_unavailable')
  // The message may have disappeared while it was translated.
  if ((await readableText(app, viewer.id, input)) === undefined) refuse('not_found')
  const { text: translate_message, from } = translation
  return { translate_message, ...(from !== undefined && { from }) }
}

/** The text that this user may read under this id now. */
async function readableText(
  app: App,
  user_id: UserId,
  { message_id, text_id }: Input<'TRANSLATE'>,
): Promise<string | undefined> {
  if (text_id !== undefined) return textShownTo(app.db, user_id, text_id)
  const row = await messageById(app.db, message_id!)
  const dialog = row && (await findDialog(app.db, { dialog_id: row.dialog_id, user_id }))
  if (!row || !dialog || row.type !== 'text') return undefined
  const view = { viewerId: user_id, cleanedTo: () => dialog.cleaned_to }
  const [shown] = await messageViews(app, app.db, [row], view)
  return shown?.removed === true ? undefined : shown?.message
}
