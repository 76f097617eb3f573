import { NoAnswerError, RefusedError } from '@duet/client'
import { limits } from '@duet/protocol/kernel/limits.ts'
import type { AppServices } from '../../../shared/app-services.tsx'
import { withOwnReading } from './messenger-state.ts'
import type { MessengerRuntime, StateAccess } from './runtime-parts.ts'
import { unreadIds } from './messages.ts'

/** The interlocutor’s page shows the typing indicator for 3 s (`TYPING_MS`): a sign within that time keeps it. */
const TYPING_EVERY_MS = 2000

/** The reader's side: read messages and the sign of typing. */
export function createReading(
  { connection, report }: AppServices,
  { update, getState }: StateAccess,
): Pick<MessengerRuntime, 'markRead' | 'typing'> {
  let typedAtMs = 0
  const reading = new Set<number>()
  return {
    markRead(dialog_id) {
      const { threads, own_id } = getState()
      const ids = unreadIds(threads.get(dialog_id)?.messages ?? [], own_id, limits.read_messages)
      if (ids.length === 0 || reading.has(dialog_id)) return
      reading.add(dialog_id)
      connection
        .act('READ_MESSAGE', { dialogId: dialog_id, message_ids: ids })
        .then(() => {
          // This comes first, because the page then reads the messages that arrived meanwhile.
          reading.delete(dialog_id)
          update((current) => withOwnReading(current, dialog_id, ids))
        })
        .catch((error: unknown) => {
          reading.delete(dialog_id)
          // The next arrival, or opening the dialog again, repeats it.
          if (!(error instanceof NoAnswerError || error instanceof RefusedError)) report(error)
        })
    },
    typing(dialog_id) {
      const nowMs = Date.now()
      if (nowMs - typedAtMs < TYPING_EVERY_MS) return
      typedAtMs = nowMs
      connection.act('TYPING', { dialogId: dialog_id }).catch(() => {})
    },
  }
}
