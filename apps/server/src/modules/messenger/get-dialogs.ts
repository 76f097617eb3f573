import { limits, type Ack, type Dialog, type Input, type Message } from '@duet/protocol'
import type { App, AppContext } from '../../core/app.ts'
import { type Db, readTogether } from '../../core/db.ts'
import type { UserId } from '../../core/ids.ts'
import type { Member } from '../../core/viewer.ts'
import { refuse } from '../../lib/refusal.ts'
import { nextMessageCharge } from '../allowances/index.ts'
import { cachedUser, interlocutors, isPremium } from '../identity/index.ts'
import { dialogPictures } from '../media/index.ts'
import { setting } from '../settings/index.ts'
import type { ShownPictures } from './entries/message-types.ts'
import {
  type DialogRow,
  dialogsPage,
  dialogsWithPaid,
  findDialog,
  messageById,
  type MessageRow,
  messagesPage,
  unreadCount,
} from './queries.ts'
import { decideWriting, writingFacts } from './rules.ts'
import { canWriteView, dialogView, hasVanished, messageView } from './views.ts'

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
  const view = { viewerId: viewer.id, cleanedTo: () => dialog.cleaned_to }
  return { messages: await messageViews(app, app.db, rows, view) }
}

export async function getCountNewMessages(
  app: App,
  viewer: Member,
): Promise<Ack<'GET_COUNT_NEW_MESSAGES'>> {
  return { count_new_messages: await unreadCount(app.db, viewer.id) }
}

/** Messages of one or more dialogs as one of the two sees them. `cleanedTo`: of the viewer, in the dialog of the message. */
export async function messageViews<Row extends MessageRow>(
  context: AppContext,
  db: Db,
  rows: readonly Row[],
  { viewerId, cleanedTo }: { readonly viewerId: UserId; cleanedTo(row: Row): number },
): Promise<Message[]> {
  const pictures = await readPictures(context, db, viewerId, rows)
  const now = context.clock.now()
  return rows.map((row) =>
    messageView(row, { viewerId, cleaned_to: cleanedTo(row), now, pictures }),
  )
}

function readPictures(
  context: AppContext,
  db: Db,
  viewerId: UserId,
  rows: readonly MessageRow[],
): Promise<ShownPictures> {
  const carrying = rows.filter(({ removed_at }) => removed_at === null)
  return dialogPictures(
    context,
    db,
    viewerId,
    carrying.flatMap(({ media_id }) => media_id ?? []),
  )
}

/** These dialogs as the viewer sees them, in their order. */
export async function dialogViews(
  context: AppContext,
  db: Db,
  viewerId: UserId,
  rows: readonly DialogRow[],
): Promise<Dialog[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ interlocutor_id }) => interlocutor_id)
  const now = context.clock.now()
  const viewer = await cachedUser(context, db, viewerId)
  const viewerRole = viewer?.role === 'girl' ? 'girl' : 'guy'
  const is_premium = viewer !== undefined && isPremium(viewer, now)
  const paidSince = now.subtract({ hours: setting(context, 'reward_window') })
  const girlsDialogs = viewerRole === 'girl' ? rows.map(({ dialog_id }) => dialog_id) : []
  const [people, messages, charge, withPaid] = await readTogether(db, [
    () => interlocutors(context, db, viewerId, ids),
    () => Promise.all(rows.map((row) => lastMessage(db, row, now))),
    () => nextMessageCharge(context, db, { id: viewerId, role: viewerRole, is_premium }),
    () => dialogsWithPaid(db, girlsDialogs, paidSince),
  ])
  const carrying = messages.filter((one) => one !== undefined)
  const pictures = await readPictures(context, db, viewerId, carrying)
  const peopleById = new Map(people.map((one) => [one.id, one]))
  const unansweredMax = setting(context, 'first_writes_unanswered')
  return rows.map((row, at): Dialog => {
    const writing = decideWriting(writingFacts(row, now, unansweredMax), charge)
    return dialogView(row, {
      viewerId,
      viewerRole,
      now,
      pictures,
      interlocutor: peopleById.get(row.interlocutor_id),
      last: messages[at],
      can_write: canWriteView(context, writing, withPaid.has(row.dialog_id)),
    })
  })
}

/** The newest message of the view that is not removed: `last_message_id` also counts removed messages. */
async function lastMessage(
  db: Db,
  row: DialogRow,
  now: Temporal.Instant,
): Promise<MessageRow | undefined> {
  const { last_message_id, cleaned_to } = row
  if (last_message_id === null || last_message_id <= cleaned_to) return undefined
  const last = await messageById(db, last_message_id)
  if (last && last.removed_at === null && !hasVanished(last, now)) return last
  const [shown] = await messagesPage(db, row, { limit: 1, now })
  return shown
}
