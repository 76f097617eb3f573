import { isRefused, NoAnswerError, RefusedError } from '@duet/client'
import { limits } from '@duet/protocol/kernel/limits.ts'
import type { AppServices } from '../../../shared/app-services.tsx'
import { storePeople } from '../../../shared/people/people.ts'
import { withPage, type DialogFilter, type DialogWindow } from './dialogs.ts'
import { withFetched, withThreadChange } from './messenger-state.ts'
import type { MessengerRuntime, StateAccess } from './runtime-parts.ts'
import { mergeMessages, NEW_THREAD, unreadIds, withThread, type Thread } from './messages.ts'

export type Fetching = Pick<MessengerRuntime, 'loadDialogs' | 'openDialog' | 'loadOlder'>

/** Fetches lists, threads and older messages. If the dialog does not exist, `fetchDialog` resolves to false. */
export function createFetching(
  services: AppServices,
  access: StateAccess,
  fetchDialog: (dialog_id: number) => Promise<boolean>,
): Fetching {
  return {
    loadDialogs: (filter, part) => loadDialogs(services, access, filter, part),
    openDialog: (dialog_id) => openDialog(services, access, dialog_id, fetchDialog),
    loadOlder: (dialog_id) => loadOlder(services, access, dialog_id),
  }
}

async function loadDialogs(
  { connection }: AppServices,
  { update, getState }: StateAccess,
  filter: DialogFilter,
  part: 'first' | 'next',
): Promise<void> {
  const setWindow = (change: (window: DialogWindow) => DialogWindow) =>
    update((current) => ({
      ...current,
      windows: { ...current.windows, [filter]: change(current.windows[filter]) },
    }))
  const { status, has_more, oldest_activity } = getState().windows[filter]
  const isKnown = part === 'first' ? status === 'ready' : !has_more
  if (status === 'loading' || isKnown) return
  setWindow((known) => ({ ...known, status: 'loading' }))
  try {
    const { dialogs } = await connection.act('GET_DIALOGS', {
      filter,
      limit: limits.dialogs,
      ...(Number.isFinite(oldest_activity) && { before: oldest_activity }),
    })
    storePeople(dialogs.map(({ interlocutor }) => interlocutor))
    update((current) => withFetched(current, dialogs))
    setWindow((known) => withPage(known, dialogs, limits.dialogs))
  } catch (error) {
    setWindow((known) => ({ ...known, status: 'failed' }))
    throw error
  }
}

async function openDialog(
  { connection }: AppServices,
  { update, getState }: StateAccess,
  dialog_id: number,
  fetchDialog: (dialog_id: number) => Promise<boolean>,
): Promise<boolean> {
  const change = (part: (thread: Thread) => Partial<Thread>) =>
    update((current) => withThreadChange(current, dialog_id, part))
  const firstUnread = (messages: Thread['messages']) =>
    unreadIds(messages, getState().own_id, limits.dialog_messages)[0]
  const { threads, dialogs } = getState()
  const known = threads.get(dialog_id)
  const isDialogKnown = dialogs.has(dialog_id)
  // Events elsewhere may have changed the right to write. Meanwhile the page shows the known dialog.
  if (isDialogKnown) fetchDialog(dialog_id).catch(() => {})
  if (known && known.status !== 'failed' && isDialogKnown) {
    change(({ messages }) => ({ first_unread: firstUnread(messages) }))
    return true
  }
  update((current) => ({
    ...current,
    threads: withThread(current.threads, dialog_id, NEW_THREAD),
  }))
  try {
    if (!isDialogKnown && !(await fetchDialog(dialog_id))) return false
    const { messages } = await connection.act('GET_DIALOG_MESSAGES', { dialogId: dialog_id })
    change((thread) => ({
      status: 'ready',
      messages: mergeMessages(thread.messages, messages),
      has_older: messages.length >= limits.dialog_messages,
      first_unread: firstUnread(messages),
    }))
    return true
  } catch (error) {
    change(() => ({ status: 'failed' }))
    if (isRefused(error, 'GET_DIALOG_MESSAGES', 'not_found')) return false
    throw error
  }
}

async function loadOlder(
  { connection }: AppServices,
  { update, getState }: StateAccess,
  dialog_id: number,
): Promise<void> {
  const change = (part: (thread: Thread) => Partial<Thread>) =>
    update((current) => withThreadChange(current, dialog_id, part))
  const thread = getState().threads.get(dialog_id)
  const oldest = thread?.messages[0]
  if (!thread?.has_older || !oldest || thread.older === 'loading') return
  change(() => ({ older: 'loading' }))
  try {
    const { messages } = await connection.act('GET_DIALOG_MESSAGES', {
      dialogId: dialog_id,
      before: oldest.message_id,
    })
    change((current) => ({
      older: 'idle',
      messages: mergeMessages(current.messages, messages),
      has_older: messages.length >= limits.dialog_messages,
      older_pages: current.older_pages + 1,
    }))
  } catch (error) {
    change(() => ({ older: 'failed' }))
    if (!(error instanceof NoAnswerError || error instanceof RefusedError)) throw error
  }
}
