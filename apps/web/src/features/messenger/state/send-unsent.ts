import { NoAnswerError, RefusedError, type UnsentMessage } from '@duet/client'
import type { Ack } from '@duet/protocol'
import type { AppServices } from '../../../shared/app-services.tsx'
import { isPassing, pauseBefore } from '../../../shared/connection/repetition.ts'

export interface UnsentQueue {
  readonly next: () => UnsentMessage | undefined
  readonly stored: (message: UnsentMessage, answer: Ack<'MESSAGE'>) => void
  readonly refused: (message: UnsentMessage, error: RefusedError) => void
}

/**
 * Sends the unsent messages one after the other, in the order of writing. Without an answer the same message is sent
 * again with the same `random_id`: the server stores a `random_id` once. Returns the function that begins.
 */
export function createSender(
  { connection }: Pick<AppServices, 'connection'>,
  { next, stored, refused }: UnsentQueue,
): () => void {
  let isRunning = false

  async function run(): Promise<void> {
    let repetition = 0
    try {
      for (let message = next(); message; message = next()) {
        const isDecided = await attempt(message)
        if (isDecided) {
          repetition = 0
          continue
        }
        repetition += 1
        await pauseBefore(repetition)
      }
    } finally {
      // Set without a pause before it, so that a message that is released now starts a new run.
      isRunning = false
    }
  }

  async function attempt(message: UnsentMessage): Promise<boolean> {
    const { dialog_id, random_id, text, media, user_id } = message
    try {
      await connection.ready()
      // Another user may have logged in while the message waited for the connection.
      if (connection.getSnapshot().auth?.user.id !== user_id) return false
      const answer = await connection.act('MESSAGE', {
        dialogId: dialog_id,
        random_id,
        message: text,
        ...(media && { type: 'image', media_id: media.id }),
      })
      stored(message, answer)
      return true
    } catch (error) {
      if (error instanceof NoAnswerError) return false
      if (!(error instanceof RefusedError)) throw error
      if (isPassing(error)) return false
      refused(message, error)
      return true
    }
  }

  return () => {
    if (isRunning) return
    isRunning = true
    run().catch((error: unknown) => reportError(error))
  }
}
