import { limits, type Ack, type Input } from '@duet/protocol'
import type { App } from '../../core/app.ts'
import type { Member } from '../../core/viewer.ts'
import { refuse } from '../../lib/refusal.ts'
import { findDialog, dialogsPage, messagesPage, unreadCount } from './queries.ts'
import { dialogViews, messageViews } from './views.ts'

/** The viewer's dialogs, newest activity first. */
export async function getDialogs(
  app: App,
  viewer: Member,
  { before, limit, filter, query }: Input<'GET_DIALOGS'>,
): Promise<Ack<'GET_DIALOGS'>> {
  const nick = query?.trim() || undefined
  const rows = await dialogsPage(app.db, viewer.id, { filter, before, nick, limit })
  return { dialogs: await dialogViews(app, app.db, viewer.id, rows) }
}

export async function getDialog(
  app: App,
  viewer: Member,
  { dialogId }: Input<'GET_DIALOG'>,
): Promise<Ack<'GET_DIALOG'>> {
  const row =
    (await findDialog(app.db, { dialog_id: dialogId, user_id: viewer.id })) ?? refuse('not_found')
  const [dialog] = await dialogViews(app, app.db, viewer.id, [row])
  return { dialog: dialog! }
}

/** A page of messages, oldest first. */
export async function getDialogMessages(
  app: App,
  viewer: Member,
  { dialogId, page, before, after }: Input<'GET_DIALOG_MESSAGES'>,
): Promise<Ack<'GET_DIALOG_MESSAGES'>> {
  const dialog =
    (await findDialog(app.db, { dialog_id: dialogId, user_id: viewer.id })) ?? refuse('not_found')
  const request = { page, before, after, limit: limits.dialog_messages }
  const rows = await messagesPage(app.db, dialog, { ...request, now: app.clock.now() })
  const view = { viewerId: viewer.id, cleaned_to: dialog.cleaned_to }
  return { messages: await messageViews(app, app.db, rows, view) }
}

export async function getCountNewMessages(
  app: App,
  viewer: Member,
): Promise<Ack<'GET_COUNT_NEW_MESSAGES'>> {
  return { count_new_messages: await unreadCount(app.db, viewer.id) }
}
