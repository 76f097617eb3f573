import type { User } from '@duet/protocol'
import type { AppServices } from '../../../shared/app-services.tsx'
import { storePeople } from '../../../shared/people/people.ts'
import { NO_WINDOW } from './dialogs.ts'
import type { Fetching } from './fetching.ts'
import {
  applyMessage,
  applyRead,
  applyRemoval,
  applyTyping,
  applyUpdate,
  emptyState,
} from './messenger-state.ts'
import type { StateAccess } from './runtime-parts.ts'
import { unsentIn } from './unsent.ts'

const FILTERS = ['all', 'unread', 'favourites'] as const

interface Commands extends Fetching {
  readonly startSending: () => void
  readonly fetchDialog: (dialog_id: number) => Promise<boolean>
}

/** Applies the events of the server, and fetches again what a loss or a reset made old. */
export function followEvents(services: AppServices, access: StateAccess, commands: Commands): void {
  followMessages(services, access, commands)
  const { connection, persistence } = services
  const { update } = access
  connection.on('reset', () => fetchAgain(access, commands))
  connection.on('identity', (auth) => {
    const ownId = auth?.user.id ?? 0
    update(() => emptyState(ownId, unsentIn(persistence, ownId)))
    commands.startSending()
  })
  connection.on('logout', () => update(() => emptyState(0, [])))
  followFunds(services, access, commands)
  connection.on('snapshot', ({ phase }) => {
    if (phase !== 'ready') return
    fetchFailed(access, commands)
    commands.startSending()
  })
}

/**
 * Premium, free messages and credits decide the right to write in all dialogs at once, and no event names these: the dialogs
 * with a thread are fetched again, the others when they are opened.
 */
function followFunds(
  { connection }: AppServices,
  { getState }: StateAccess,
  { fetchDialog }: Commands,
): void {
  const fundsNow = () => {
    const { auth } = connection.getSnapshot()
    const { id, is_premium, balance_messages = 0 } = (auth?.user ?? {}) as Partial<User>
    const hasFree = (auth?.free_quota_messages ?? 0) > 0
    return { id, rights: `${is_premium} ${hasFree} ${balance_messages > 0}` }
  }
  let known = fundsNow()
  connection.on('snapshot', () => {
    const now = fundsNow()
    const isChanged = now.id === known.id && now.rights !== known.rights
    known = now
    if (!isChanged) return
    for (const dialog_id of getState().threads.keys()) fetchDialog(dialog_id).catch(() => {})
  })
}

function followMessages(
  { connection }: AppServices,
  { update, getState }: StateAccess,
  { fetchDialog }: Commands,
): void {
  connection.on('messenger_message', (payload) => {
    const { message, dialog } = payload
    if (dialog) storePeople([dialog.interlocutor])
    update((current) => applyMessage(current, payload))
    // An old dialog that is not fetched yet comes to the top of the list.
    if (!getState().dialogs.has(message.dialog_id)) fetchDialog(message.dialog_id).catch(() => {})
  })
  connection.on('messenger_message_removed', (payload) =>
    update((current) => applyRemoval(current, payload)),
  )
  connection.on('messenger_read_message', (payload) =>
    update((current) => applyRead(current, payload)),
  )
  connection.on('messenger_typing', (payload) =>
    update((current) => applyTyping(current, payload, Date.now())),
  )
  connection.on('dialog_update', (payload) => {
    storePeople([payload.dialog.interlocutor])
    update((current) => applyUpdate(current, payload))
  })
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
