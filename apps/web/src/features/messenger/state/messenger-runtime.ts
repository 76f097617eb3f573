import { isRefused, type UnsentMessage } from '@duet/client'
import type { Media } from '@duet/protocol'
import type { AppServices } from '../../../shared/app-services.tsx'
import { createAccountStore } from '../../../shared/account/account-store.ts'
import { storePeople } from '../../../shared/people/people.ts'
import { createPhotoUploads, type PhotoUpload } from './photo-uploads.ts'
import { createFetching } from './fetching.ts'
import { followEvents } from './follow-events.ts'
import {
  emptyState,
  applyUpdate,
  withFetched,
  removeDialog,
  withoutMessages,
  withStored,
} from './messenger-state.ts'
import { createReading } from './reading.ts'
import type { MessengerRuntime, StateAccess } from './runtime-parts.ts'
import { createSender, type UnsentQueue } from './send-unsent.ts'
import { unsentCount } from '../unsent-count.ts'
import { createTranslatedDialogs } from './translated-dialogs.ts'
import {
  nextToSend,
  patchUnsent,
  UNSENT_MAX,
  unsentIn,
  withoutUnsent,
  withUnsent,
} from './unsent.ts'

const EVERYTHING = { message_ids: [], up_to: Number.MAX_SAFE_INTEGER }

/** By the store of the page, because the page has several objects for its one connection. */
const runtimes = new WeakMap<AppServices['persistence'], MessengerRuntime>()

/** The page makes one runtime when the messenger is first shown or an unsent message is found, and keeps it. */
export function messengerRuntime(services: AppServices): MessengerRuntime {
  const known = runtimes.get(services.persistence)
  if (known) return known
  const runtime = createMessengerRuntime(services)
  runtimes.set(services.persistence, runtime)
  return runtime
}

function createMessengerRuntime(services: AppServices): MessengerRuntime {
  const { connection, persistence } = services
  const firstState = (ownId = 0) => emptyState(ownId, unsentIn(persistence, ownId))
  const state = createAccountStore(firstState(connection.getSnapshot().auth?.user.id), (user_id) =>
    state.set(firstState(user_id)),
  )
  const access: StateAccess = { update: state.update, getState: state.getSnapshot }
  storeUnsent(services, access, state.subscribe)

  async function fetchDialog(dialog_id: number): Promise<boolean> {
    try {
      const { dialog } = await connection.act('GET_DIALOG', { dialogId: dialog_id })
      storePeople([dialog.interlocutor])
      state.update((current) => applyUpdate(current, { dialog }))
      return true
    } catch (error) {
      if (!isRefused(error, 'GET_DIALOG', 'not_found')) throw error
      state.update((current) => removeDialog(current, dialog_id))
      return false
    }
  }

  const uploadsNow = () => photos.uploads.getSnapshot()
  const startSending = createSender(services, getQueue(access, fetchDialog, uploadsNow))
  const photos = createPhotoUploads(services, {
    send: (upload, media) => sending.sendPhoto(upload, media),
    settled: () => startSending(),
  })
  const fetching = createFetching(services, access, fetchDialog)
  followEvents(services, access, { ...fetching, startSending, fetchDialog })
  startSending()

  const sending = createSending(services, access, startSending)
  return {
    state,
    ...fetching,
    ...createReading(services, access),
    ...createTranslatedDialogs(services),
    send: sending.send,
    retry: sending.retry,
    discard: sending.discard,
    ...photos,
    async clean(dialog_id) {
      await connection.act('CLEAN_DIALOG', { dialogId: dialog_id })
      state.update((current) => withoutMessages(current, dialog_id, EVERYTHING, 'cleaned'))
    },
    async remove(dialog_id) {
      await connection.act('DELETE_DIALOG', { dialogId: dialog_id })
      state.update((current) => removeDialog(current, dialog_id))
    },
  }
}

/**
 * Stores the changes of this page. The messages of the other pages of the browser stay stored, and so do the messages
 * of a login that the server ended.
 */
function storeUnsent(
  { persistence }: AppServices,
  { getState }: StateAccess,
  subscribe: (listener: () => void) => () => void,
): void {
  let { unsent: stored, own_id: stored_id } = getState()
  unsentCount.set(stored.length)
  subscribe(() => {
    const { unsent, own_id } = getState()
    if (unsent === stored) return
    unsentCount.set(unsent.length)
    const own = new Set([...stored, ...unsent].map(({ random_id }) => random_id))
    const isOtherAccount = own_id !== stored_id
    stored = unsent
    stored_id = own_id
    if (isOtherAccount) return
    const others = (persistence.get('unsent_messages') ?? []).filter(
      ({ random_id }) => !own.has(random_id),
    )
    const all = [...others, ...unsent]
    persistence.set('unsent_messages', all.length > 0 ? all : undefined)
  })
}

function setUnsent(
  { update }: StateAccess,
  change: (unsent: readonly UnsentMessage[]) => readonly UnsentMessage[],
): void {
  update((current) => ({ ...current, unsent: change(current.unsent) }))
}

function getQueue(
  access: StateAccess,
  fetchDialog: (dialog_id: number) => Promise<boolean>,
  uploadsNow: () => readonly PhotoUpload[],
): UnsentQueue {
  const { update, getState } = access
  return {
    next: () => nextToSend(getState().unsent, uploadsNow()),
    stored: ({ dialog_id, random_id, media }, { message_id, message, create_time, ...answer }) =>
      update((current) => {
        const sent = withStored(current, {
          message_id,
          dialog_id,
          sender_id: current.own_id,
          type: media ? 'image' : 'text',
          message,
          read_status: 0,
          random_id,
          create_time,
          ...(media && { media }),
          ...(answer.reward !== undefined && { reward: answer.reward }),
          ...(answer.price !== undefined && { price: answer.price }),
        })
        const dialog = sent.dialogs.get(dialog_id)
        return dialog ? withFetched(sent, [{ ...dialog, can_write: answer.can_write }]) : sent
      }),
    refused({ random_id, dialog_id }, { refusal }) {
      setUnsent(access, (unsent) => patchUnsent(unsent, random_id, { refusal }))
      // The right to write may have changed: the composer shows why.
      fetchDialog(dialog_id).catch(() => {})
    },
  }
}

interface Sending extends Pick<MessengerRuntime, 'send' | 'retry' | 'discard'> {
  readonly sendPhoto: (upload: PhotoUpload, media: Media) => boolean
}

function createSending(
  { connection }: AppServices,
  access: StateAccess,
  startSending: () => void,
): Sending {
  const add = (message: Omit<UnsentMessage, 'user_id'>): boolean => {
    if (access.getState().unsent.length >= UNSENT_MAX) return false
    const user_id = connection.getSnapshot().auth?.user.id ?? 0
    setUnsent(access, (unsent) => withUnsent(unsent, { ...message, user_id }))
    startSending()
    return true
  }
  return {
    send: (dialog_id, text) =>
      add({
        random_id: crypto.randomUUID(),
        dialog_id,
        text,
        written_at: new Date().toISOString(),
      }),
    sendPhoto: ({ key, dialog_id, written_at }, media) =>
      add({ random_id: key, dialog_id, text: '', written_at, media }),
    retry(random_id) {
      setUnsent(access, (unsent) => patchUnsent(unsent, random_id, { refusal: undefined }))
      startSending()
    },
    discard: (random_id) => setUnsent(access, (unsent) => withoutUnsent(unsent, random_id)),
  }
}
