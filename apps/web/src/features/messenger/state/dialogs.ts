import type { Dialog, Message } from '@duet/protocol'

export type DialogFilter = 'all' | 'unread' | 'favourites'

/** The fetched part of a filter. Every dialog of the filter with at least this activity is known. */
export interface DialogWindow {
  readonly status: 'absent' | 'loading' | 'ready' | 'failed'
  readonly oldest_activity: number
  readonly has_more: boolean
}

export type Dialogs = ReadonlyMap<number, Dialog>

export const NO_WINDOW: DialogWindow = {
  status: 'absent',
  oldest_activity: Number.POSITIVE_INFINITY,
  has_more: true,
}

const MATCHES: Readonly<Record<DialogFilter, (dialog: Dialog) => boolean>> = {
  all: () => true,
  unread: ({ count_new_messages }) => count_new_messages > 0,
  favourites: ({ interlocutor }) => interlocutor.is_favorite,
}

/**
 * The fetched dialogs of a filter, newest activity first. Older dialogs that other requests fetched wait for their
 * page.
 */
export function listDialogs(
  dialogs: Dialogs,
  filter: DialogFilter,
  window: DialogWindow,
): Dialog[] {
  const from = window.has_more ? window.oldest_activity : 0
  return [...dialogs.values()]
    .filter((dialog) => dialog.activity_id >= from && MATCHES[filter](dialog))
    .toSorted((one, other) => other.activity_id - one.activity_id)
}

/** A fetched page belongs to the window: `page_size` or more items mean that there may be another page. */
export function withPage(
  window: DialogWindow,
  page: readonly Dialog[],
  pageSize: number,
): DialogWindow {
  return {
    status: 'ready',
    oldest_activity: page.at(-1)?.activity_id ?? window.oldest_activity,
    has_more: page.length >= pageSize,
  }
}

export function withDialogs(dialogs: Dialogs, changed: readonly Dialog[]): Dialogs {
  if (changed.length === 0) return dialogs
  return new Map([...dialogs, ...changed.map((dialog) => [dialog.dialog_id, dialog] as const)])
}

export function withoutDialog(dialogs: Dialogs, dialog_id: number): Dialogs {
  if (!dialogs.has(dialog_id)) return dialogs
  const rest = new Map(dialogs)
  rest.delete(dialog_id)
  return rest
}

export function patchDialog(
  dialogs: Dialogs,
  dialog_id: number,
  change: (dialog: Dialog) => Partial<Dialog>,
): Dialogs {
  const dialog = dialogs.get(dialog_id)
  return dialog ? withDialogs(dialogs, [{ ...dialog, ...change(dialog) }]) : dialogs
}

/** A dialog as the server had it. A message that arrived after the answer was read stays the last message. */
export function withUpdate(dialogs: Dialogs, dialog: Dialog): Dialogs {
  const known = dialogs.get(dialog.dialog_id)
  const isOlder = lastId(known) > lastId(dialog)
  if (!known || !isOlder) return withDialogs(dialogs, [dialog])
  const { last_message, activity_id, count_new_messages } = known
  return withDialogs(dialogs, [{ ...dialog, last_message, activity_id, count_new_messages }])
}

const lastId = (dialog: Dialog | undefined): number => dialog?.last_message?.message_id ?? 0

/** A message arrived or was sent, and becomes the last message. An unread message of the interlocutor counts once. */
export function withMessage(dialogs: Dialogs, message: Message, ownId: number): Dialogs {
  return patchDialog(dialogs, message.dialog_id, ({ last_message, activity_id, ...dialog }) => {
    const knownId = last_message?.message_id ?? 0
    if (knownId > message.message_id) return {}
    if (knownId === message.message_id) return { last_message: message }
    const isUnread = message.sender_id !== ownId && message.read_status === 0
    return {
      last_message: message,
      // The server numbers activities and messages from one sequence.
      activity_id: Math.max(activity_id, message.message_id),
      count_new_messages: dialog.count_new_messages + (isUnread ? 1 : 0),
    }
  })
}
