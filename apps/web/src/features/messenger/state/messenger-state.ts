import type { UnsentMessage } from '@duet/client'
import type { Dialog, EventName, Message, Payload } from '@duet/protocol'
import {
  NO_WINDOW,
  patchDialog,
  withDialogs,
  withMessage,
  withoutDialog,
  withUpdate,
  type DialogFilter,
  type Dialogs,
  type DialogWindow,
} from './dialogs.ts'
import {
  markRead,
  mergeMessages,
  patchThread,
  removeMessages,
  type EndOf,
  type RemovalReason,
  type RemovedIds,
  type Thread,
  type Threads,
} from './messages.ts'
import { withoutUnsent } from './unsent.ts'

/** Everything that the messenger of this page knows. */
export interface MessengerState {
  readonly own_id: number
  readonly dialogs: Dialogs
  readonly windows: Readonly<Record<DialogFilter, DialogWindow>>
  readonly threads: Threads
  readonly unsent: readonly UnsentMessage[]
  /** By dialog, until when its interlocutor is shown as typing. */
  readonly typing: ReadonlyMap<number, number>
}

export function emptyState(ownId: number, unsent: readonly UnsentMessage[]): MessengerState {
  return {
    own_id: ownId,
    unsent,
    dialogs: new Map(),
    windows: { all: NO_WINDOW, unread: NO_WINDOW, favourites: NO_WINDOW },
    threads: new Map(),
    typing: new Map(),
  }
}

/** How long the indicator stays after the last sign of typing. */
const TYPING_MS = 3000

type Change<Event extends EventName> = (
  state: MessengerState,
  payload: Payload<Event>,
) => MessengerState

/** A message arrived, from the interlocutor or from another tab of the user. */
export const applyMessage: Change<'messenger_message'> = (state, { message, dialog }) =>
  withStored(
    { ...state, dialogs: dialog ? withUpdate(state.dialogs, dialog) : state.dialogs },
    message,
  )

/** The database has the message, so the message replaces the unsent message with its `random_id`. */
export function withStored(state: MessengerState, message: Message): MessengerState {
  const isOwn = message.sender_id === state.own_id
  return {
    ...state,
    dialogs: withMessage(state.dialogs, message, state.own_id),
    unsent: isOwn ? withoutUnsent(state.unsent, message.random_id) : state.unsent,
    typing: isOwn ? state.typing : withoutTyping(state.typing, message.dialog_id),
    threads: patchThread(state.threads, message.dialog_id, (thread) =>
      // Also while it is fetched: the answer may have been read before this message was stored.
      thread.status === 'failed' ? {} : { messages: mergeMessages(thread.messages, [message]) },
    ),
  }
}

export const applyRemoval: Change<'messenger_message_removed'> = (state, payload) =>
  payload.deleted
    ? removeDialog(state, payload.dialog_id)
    : withoutMessages(state, payload.dialog_id, payload, payload.reason)

/** Removes messages from the thread and from the line of the dialog. */
export function withoutMessages(
  state: MessengerState,
  dialog_id: number,
  ids: RemovedIds,
  reason: RemovalReason,
): MessengerState {
  const threads = patchThread(state.threads, dialog_id, ({ messages }) => ({
    messages: removeMessages(messages, ids, reason),
  }))
  const newest = threads.get(dialog_id)?.messages.at(-1)
  const dialogs = patchDialog(state.dialogs, dialog_id, ({ last_message, count_new_messages }) => {
    if (!last_message) return {}
    const [left] = removeMessages([last_message], ids, reason)
    // Only a view that the user emptied has a limit instead of ids.
    const isCleaned = ids.up_to !== undefined && left === undefined
    return {
      last_message: left ?? newest ?? null,
      count_new_messages: isCleaned ? 0 : count_new_messages,
    }
  })
  return { ...state, threads, dialogs }
}

/**
 * Marks messages as read by the user or by the interlocutor. A vanishing message gets the time at which it disappears.
 * A message that has already been read keeps its time.
 */
export const applyRead: Change<'messenger_read_message'> = (state, { vanish_at, ...read }) =>
  withRead(state, read, (known) =>
    known !== undefined && vanish_at !== undefined ? known : vanish_at,
  )

/**
 * The server has marked these messages of the interlocutor as read. Before or after this answer an event has the time
 * at which each message disappears.
 */
export function withOwnReading(
  state: MessengerState,
  dialog_id: number,
  message_ids: readonly number[],
): MessengerState {
  return withRead(state, { dialog_id, message_ids }, (known) => known)
}

function withRead(
  state: MessengerState,
  { dialog_id, message_ids }: Pick<Message, 'dialog_id'> & { message_ids: readonly number[] },
  endOf: EndOf,
): MessengerState {
  const ids = new Set(message_ids)
  const counted = (state.threads.get(dialog_id)?.messages ?? []).filter(
    ({ message_id, sender_id, read_status }) =>
      ids.has(message_id) && sender_id !== state.own_id && read_status === 0,
  ).length
  return {
    ...state,
    threads: patchThread(state.threads, dialog_id, ({ messages }) => ({
      messages: markRead(messages, message_ids, endOf),
    })),
    dialogs: patchDialog(state.dialogs, dialog_id, ({ last_message, count_new_messages }) => ({
      last_message: last_message && markRead([last_message], message_ids, endOf)[0]!,
      count_new_messages: Math.max(0, count_new_messages - counted),
    })),
  }
}

export function applyTyping(
  state: MessengerState,
  { dialog_id, user_id }: Payload<'messenger_typing'>,
  nowMs: number,
): MessengerState {
  if (user_id === state.own_id) return state
  const others = [...state.typing].filter(([, untilMs]) => untilMs > nowMs)
  return { ...state, typing: new Map([...others, [dialog_id, nowMs + TYPING_MS]]) }
}

export const applyUpdate: Change<'dialog_update'> = (state, { dialog, deleted }) =>
  deleted
    ? removeDialog(state, dialog.dialog_id)
    : { ...state, dialogs: withUpdate(state.dialogs, dialog) }

export function removeDialog(state: MessengerState, dialog_id: number): MessengerState {
  const threads = new Map(state.threads)
  threads.delete(dialog_id)
  return { ...state, threads, dialogs: withoutDialog(state.dialogs, dialog_id) }
}

function withoutTyping(typing: MessengerState['typing'], dialog_id: number) {
  if (!typing.has(dialog_id)) return typing
  return new Map([...typing].filter(([id]) => id !== dialog_id))
}

export function withFetched(state: MessengerState, dialogs: readonly Dialog[]): MessengerState {
  return { ...state, dialogs: withDialogs(state.dialogs, dialogs) }
}

export function withThreadChange(
  state: MessengerState,
  dialog_id: number,
  change: (thread: Thread) => Partial<Thread>,
): MessengerState {
  return { ...state, threads: patchThread(state.threads, dialog_id, change) }
}
