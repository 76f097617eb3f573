import type { AuthAnswer } from '@duet/client'
import type { Payload, User } from '@duet/protocol'
import { onOtherAccount } from '../../../shared/account/account-store.ts'
import type { AppServices } from '../../../shared/app-services.tsx'
import {
  subscribeToEvents,
  reduceBy,
  type ModuleEvent,
  type ReducerMap,
  type ServerEvent,
} from '../../../shared/connection/event-reducers.ts'
import { followConnection } from '../../../shared/connection/follow-connection.ts'
import { storePeople } from '../../../shared/people/people.ts'
import { NO_WINDOW } from './dialogs.ts'
import type { Fetching } from './fetching.ts'
import {
  emptyState,
  applyMessage,
  applyRead,
  applyRemoval,
  applyTyping,
  applyUpdate,
  type MessengerState,
} from './messenger-state.ts'
import type { StateAccess } from './runtime-parts.ts'

type MessengerServerEvent = ServerEvent<ModuleEvent<'messenger'>>

const unchanged = (state: MessengerState): MessengerState => state

/** The contract requires a reducer for each event. A new event without a reducer does not compile. */
const MESSENGER_SERVER_EVENTS: ReducerMap<MessengerState, MessengerServerEvent> = {
  messenger_message: (state, { payload }) => applyMessage(state, payload),
  messenger_message_removed: (state, { payload }) => applyRemoval(state, payload),
  messenger_read_message: (state, { payload }) => applyRead(state, payload),
  messenger_typing: (state, { payload, at_ms }) => applyTyping(state, payload, at_ms),
  dialog_update: (state, { payload }) => applyUpdate(state, payload),
  // The page that sent the message gets the answer of MESSAGE. The other pages get `messenger_message` with the same
  // content.
  send_message_success: unchanged,
  // `messenger_message` carries the like.
  like_received: unchanged,
}

/** The messenger of this page after an event of the server. An event that is applied twice changes nothing. */
function reduceMessenger(state: MessengerState, event: MessengerServerEvent): MessengerState {
  return reduceBy(MESSENGER_SERVER_EVENTS, state, event)
}

/** Events that arrive together ask for a dialog once. */
const TOGETHER_MS = 100
const FILTERS = ['all', 'unread', 'favourites'] as const

interface Commands extends Fetching {
  readonly startSending: () => void
  readonly fetchDialog: (dialog_id: number) => Promise<boolean>
}

/** Applies the events of the server. After a loss or a reset fetches outdated data again. */
export function followEvents(services: AppServices, access: StateAccess, commands: Commands): void {
  const { connection } = services
  const fetchSoon = createFetchSoon(commands)
  subscribeToEvents(connection, MESSENGER_SERVER_EVENTS, (event) => apply(access, fetchSoon, event))
  onOtherAccount(() => commands.startSending())
  followConnection(connection, {
    outdated: () => fetchAgain(access, commands),
    ownRecord: (auth, before) => fetchRights(access, commands, auth, before),
    connected() {
      fetchFailed(access, commands)
      commands.startSending()
    },
  })
}

/**
 * Applies an event to the people and the state of the page. Then the page fetches the data that the event does not
 * contain.
 */
function apply(
  { update, getState }: StateAccess,
  fetchSoon: (dialog_id: number) => void,
  event: MessengerServerEvent,
): void {
  const { payload } = event
  if ('dialog' in payload && payload.dialog) storePeople([payload.dialog.interlocutor])
  const before = getState()
  update((current) => reduceMessenger(current, event))
  if (event.type === 'messenger_message') {
    const { dialog_id } = event.payload.message
    // An old dialog that is not fetched yet comes to the top of the list.
    if (!getState().dialogs.has(dialog_id)) fetchSoon(dialog_id)
  }
  if (event.type === 'messenger_read_message' && isReadUnseen(before, event.payload))
    fetchSoon(event.payload.dialog_id)
}

/** Another page read messages that this page has not fetched, so this page cannot count them. */
function isReadUnseen(
  { dialogs, threads }: MessengerState,
  { dialog_id, message_ids, count_new_messages }: Payload<'messenger_read_message'>,
): boolean {
  // Only the reader gets the count.
  if (count_new_messages === undefined || !dialogs.get(dialog_id)?.count_new_messages) return false
  const known = new Set(threads.get(dialog_id)?.messages.map(({ message_id }) => message_id))
  return message_ids.some((id) => !known.has(id))
}

function createFetchSoon({ fetchDialog }: Commands): (dialog_id: number) => void {
  const waiting = new Set<number>()
  return (dialog_id) => {
    if (waiting.has(dialog_id)) return
    waiting.add(dialog_id)
    setTimeout(() => {
      waiting.delete(dialog_id)
      fetchDialog(dialog_id).catch(() => {})
    }, TOGETHER_MS)
  }
}

/**
 * Premium, free messages and credits change the right to write in all dialogs, and no event names the dialogs. Dialogs
 * with a thread are fetched again now. Other dialogs are fetched when the user opens them.
 */
function fetchRights(
  { getState }: StateAccess,
  { fetchDialog }: Commands,
  auth: AuthAnswer | undefined,
  before: AuthAnswer | undefined,
): void {
  if (auth?.user.id !== before?.user.id || funds(auth) === funds(before)) return
  for (const dialog_id of getState().threads.keys()) fetchDialog(dialog_id).catch(() => {})
}

function funds(auth: AuthAnswer | undefined): string {
  const { is_premium, balance_messages = 0 } = (auth?.user ?? {}) as Partial<User>
  const hasFree = (auth?.free_quota_messages ?? 0) > 0
  return `${is_premium} ${hasFree} ${balance_messages > 0}`
}

/** A part that could not be fetched is tried again with the connection. */
function fetchFailed({ getState }: StateAccess, { loadDialogs, openDialog }: Commands): void {
  const { windows, threads } = getState()
  for (const filter of FILTERS)
    if (windows[filter].status === 'failed') loadDialogs(filter, 'first').catch(() => {})
  for (const [dialog_id, { status }] of threads)
    if (status === 'failed') openDialog(dialog_id).catch(() => {})
}

/** Everything fetched is too old: the lists and threads that were shown are fetched again. */
function fetchAgain(
  { update, getState }: StateAccess,
  { loadDialogs, openDialog }: Commands,
): void {
  const { windows, threads } = getState()
  update((current) => emptyState(current.own_id, current.unsent))
  for (const filter of FILTERS)
    if (windows[filter] !== NO_WINDOW) loadDialogs(filter, 'first').catch(() => {})
  for (const dialog_id of threads.keys()) openDialog(dialog_id).catch(() => {})
}
