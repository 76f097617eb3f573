import { isRefused, RefusedError } from '@duet/client'
import { act, reportUnless } from '../../shared/connection/command-context.ts'
import type { RunningCall } from './calls-state.ts'
import { createLeaveCommands, type LeaveCommands, type LeaveParts } from './leave-call.ts'
import { createPanicCommands, type PanicCommands } from './panic.ts'

/** The server shows the typing indicator for 3 s. Sending more often has no effect. */
const TYPING_EVERY_MS = 2_000

export type CallContextParts = LeaveParts

/** The commands of the user within a call. Without a running call the commands do nothing. */
export interface CallCommands extends LeaveCommands, PanicCommands {
  setBreak(on: boolean): Promise<void>
  askPrivate(): Promise<void>
  answerPrivate(accept: boolean): Promise<void>
  /** Agrees to go on while the girl's camera is off. Rejects with the server's refusal. */
  goOnWithSound(): Promise<void>
  sendText(text: string): Promise<void>
  retryText(id: string): Promise<void>
  typing(): void
  closeReceipt(): void
}

export function createCallCommands(context: CallContextParts): CallCommands {
  const leaveCommands = createLeaveCommands(context)
  return {
    ...leaveCommands,
    setBreak: (on) => setBreak(context, on),
    askPrivate: () => askPrivate(context),
    answerPrivate: (accept) => answerPrivate(context, accept),
    goOnWithSound: () => goOnWithSound(context),
    ...createPanicCommands(context, leaveCommands),
    ...textCommands(context),
    closeReceipt: () => context.apply({ type: 'receipt_closed' }),
  }
}

async function setBreak(context: CallContextParts, on: boolean): Promise<void> {
  const { call } = context.getState()
  if (!call) return
  const session_id = call.session.id
  context.apply({ type: 'break_set', session_id, on })
  try {
    await (on ? act(context, 'OUT_FROM_SEARCH', {}) : act(context, 'MATCH_AWAIT', {}))
  } catch (error) {
    // The server refuses a search within a call, but it still takes the break back.
    if (isRefused(error, 'MATCH_AWAIT', 'in_call')) return
    context.apply({ type: 'break_set', session_id, on: !on })
    context.services.report(error)
  }
}

async function askPrivate(context: CallContextParts): Promise<void> {
  const { call } = context.getState()
  if (!call || call.session.state === 'private' || call.own_ask) return
  const session_id = call.session.id
  try {
    const { expires_in_ms } = await act(context, 'SESSION_UP', { session_id })
    context.apply({
      type: 'private_asked',
      session_id,
      expires_at_ms: Date.now() + expires_in_ms,
      lasts_ms: expires_in_ms,
    })
  } catch (error) {
    reportUnless(context, error, 'SESSION_UP', 'too_many')
  }
}

async function answerPrivate(context: CallContextParts, accept: boolean): Promise<void> {
  const { call } = context.getState()
  if (!call?.ask) return
  const session_id = call.session.id
  context.apply({ type: 'private_answered', session_id })
  await act(context, 'SESSION_UP_REACTION', { session_id, accept }).catch((error: unknown) =>
    reportUnless(context, error, 'SESSION_UP_REACTION', 'pair_over'),
  )
}

async function goOnWithSound(context: CallContextParts): Promise<void> {
  const { call } = context.getState()
  if (call) await act(context, 'SOUND_ONLY', { session_id: call.session.id, agree: true })
}

function textCommands(
  context: CallContextParts,
): Pick<CallCommands, 'sendText' | 'retryText' | 'typing'> {
  let typedAtMs = 0
  const runningCall = (): RunningCall | null => context.getState().call
  return {
    async sendText(text) {
      const call = runningCall()
      if (call && text.trim())
        await send(context, call.session.id, crypto.randomUUID(), text.trim())
    },
    async retryText(id) {
      const call = runningCall()
      const failed = call?.texts.find((text) => text.id === id && text.state === 'failed')
      if (call && failed) await send(context, call.session.id, id, failed.text)
    },
    typing() {
      const call = runningCall()
      const nowMs = Date.now()
      if (!call || nowMs - typedAtMs < TYPING_EVERY_MS) return
      typedAtMs = nowMs
      act(context, 'SESSION_TYPING', { session_id: call.session.id }).catch(() => {})
    },
  }
}

/** The same id is the same text for the server, so a second attempt never sends it twice. */
async function send(
  context: CallContextParts,
  session_id: number,
  id: string,
  text: string,
): Promise<void> {
  const { apply } = context
  apply({ type: 'text_written', session_id, id, text, at_ms: Date.now() })
  try {
    const sent = await act(context, 'TEXT_CHAT_MESSAGE', { session_id, id, text })
    apply({ type: 'text_sent', session_id, text_id: sent.text_id, text: sent.text, id })
  } catch (error) {
    apply({ type: 'text_failed', session_id, id })
    // Without an answer the failed text in the log offers to try again.
    if (error instanceof RefusedError)
      reportUnless(context, error, 'TEXT_CHAT_MESSAGE', 'not_found')
  }
}
