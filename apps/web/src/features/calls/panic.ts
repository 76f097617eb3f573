import { NoAnswerError } from '@duet/client'
import { act, reportUnless } from '../../shared/connection/command-context.ts'
import { t, withTexts } from '../../shared/i18n.ts'
import { showToast, showToastInCall } from '../../shared/toasts.ts'
import { keepFrames } from '../../shared/video/call-frames.ts'
import type { LeaveCommands, LeaveParts } from './leave-call.ts'

export interface PanicCommands {
  /** Ends the call, blocks the partner and seals the evidence. The picture is gone and the camera off at the press. */
  panic(): Promise<void>
  /** Repeats a panic without an answer. The server knows the call, so a repetition changes nothing. */
  panicAgain(): Promise<void>
}

export function createPanicCommands(
  parts: LeaveParts,
  { leave }: Pick<LeaveCommands, 'leave'>,
): PanicCommands {
  const { persistence, connection } = parts.services
  let sending: Promise<void> | null = null
  /** Resolves with the answer, with the refusal, or without an answer. */
  function send(): Promise<void> {
    sending ??= sendPanic(parts).finally(() => (sending = null))
    return sending
  }
  return {
    async panic() {
      const { call, own } = parts.getState()
      if (!call || call.leaving) return
      const { id: session_id, user_interlocutor } = call.session
      // The server asks for the pictures after the camera has stopped.
      keepFrames()
      persistence.set('panic', { session_id, nick: user_interlocutor.nick })
      if (connection.getSnapshot().phase !== 'ready') showWaiting(user_interlocutor.nick)
      await leave(own?.role === 'girl' ? 'break' : 'end', session_id, send())
    },
    async panicAgain() {
      if (persistence.get('panic')) await send()
    },
  }
}

async function sendPanic(parts: LeaveParts): Promise<void> {
  const { persistence } = parts.services
  const pending = persistence.get('panic')
  if (!pending) return
  const { session_id, nick } = pending
  try {
    await act(parts, 'PANIC', { session_id })
    withTexts(() =>
      showToast({ title: t('video.safety.done', { nick }), text: t('video.safety.done_text') }),
    )
  } catch (error) {
    if (error instanceof NoAnswerError) return showWaiting(nick)
    reportUnless(parts, error, 'PANIC', 'not_found')
  }
  persistence.set('panic', undefined)
}

function showWaiting(nick: string): void {
  withTexts(() =>
    showToastInCall({
      title: t('video.safety.waiting'),
      text: t('video.safety.waiting_text', { nick }),
    }),
  )
}
