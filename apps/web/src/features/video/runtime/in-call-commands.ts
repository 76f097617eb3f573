import { isRefused, RefusedError } from '@duet/client'
import type { Leaving } from '../state/call-state.ts'
import { act, reportUnless, runningCall, type CommandParts } from './act.ts'

/** The server forgets typing after 3 s; telling more often says nothing more. */
const TYPING_EVERY_MS = 2_000

/** Within a call: leaving it, going private, writing. Without one they do nothing. */
export class InCallCommands {
  #parts: CommandParts
  #search: () => Promise<void>
  #typed_at_ms = 0

  constructor(parts: CommandParts, search: () => Promise<void>) {
    this.#parts = parts
    this.#search = search
  }

  leave = async (how: Leaving): Promise<void> => {
    const { apply, getState, session } = this.#parts
    const call = runningCall(this.#parts)
    if (!call || call.leaving) return
    const session_id = call.session.id
    const is_girl = getState().me?.role === 'girl'
    apply({ what: 'leaving', session_id, how })
    try {
      const wish = {
        ...(how === 'break' && { break: true }),
        ...(how === 'next' && !is_girl && { next: true }),
      }
      const receipt = await act(this.#parts, 'BREAK_SESSION', { session_id, ...wish })
      apply({ what: 'close_session', receipt, at_ms: Date.now() })
    } catch (error) {
      apply({ what: 'leaving', session_id, how: null })
      return session.report(error)
    }
    // The server puts back in search; asking again changes nothing there and mends what was missed.
    if (how === 'next' && !(is_girl && call.session.break_set)) await this.#search()
  }

  setBreak = async (on: boolean): Promise<void> => {
    const { apply, session } = this.#parts
    const call = runningCall(this.#parts)
    if (!call) return
    const session_id = call.session.id
    apply({ what: 'break_set', session_id, on })
    try {
      await (on ? act(this.#parts, 'OUT_FROM_SEARCH', {}) : act(this.#parts, 'MATCH_AWAIT', {}))
    } catch (error) {
      // The answer to a search within a call is that there is a call; the break is taken back all the same.
      if (isRefused(error, 'MATCH_AWAIT', 'in_call')) return
      apply({ what: 'break_set', session_id, on: !on })
      session.report(error)
    }
  }

  askPrivate = async (): Promise<void> => {
    const call = runningCall(this.#parts)
    if (!call || call.session.state === 'private' || call.own_ask) return
    const session_id = call.session.id
    try {
      const { expires_in_ms } = await act(this.#parts, 'SESSION_UP', { session_id })
      this.#parts.apply({
        what: 'asked_private',
        session_id,
        expires_at_ms: Date.now() + expires_in_ms,
      })
    } catch (error) {
      reportUnless(this.#parts, error, 'SESSION_UP', 'too_many')
    }
  }

  answerPrivate = async (accept: boolean): Promise<void> => {
    const call = runningCall(this.#parts)
    if (!call?.ask) return
    const session_id = call.session.id
    this.#parts.apply({ what: 'answered_private', session_id })
    await act(this.#parts, 'SESSION_UP_REACTION', { session_id, accept }).catch((error: unknown) =>
      reportUnless(this.#parts, error, 'SESSION_UP_REACTION', 'pair_over'),
    )
  }

  sendText = async (text: string): Promise<void> => {
    const call = runningCall(this.#parts)
    if (call && text.trim()) await this.#send(call.session.id, crypto.randomUUID(), text.trim())
  }

  retryText = async (id: string): Promise<void> => {
    const call = runningCall(this.#parts)
    const failed = call?.texts.find((text) => text.id === id && text.state === 'failed')
    if (call && failed) await this.#send(call.session.id, id, failed.text)
  }

  typing = (): void => {
    const call = runningCall(this.#parts)
    const now_ms = Date.now()
    if (!call || now_ms - this.#typed_at_ms < TYPING_EVERY_MS) return
    this.#typed_at_ms = now_ms
    act(this.#parts, 'SESSION_TYPING', { session_id: call.session.id }).catch(() => {})
  }

  /** The same id again is the same text: a second try never says it twice. */
  async #send(session_id: number, id: string, text: string): Promise<void> {
    const { apply } = this.#parts
    apply({ what: 'text_written', session_id, id, text, at_ms: Date.now() })
    try {
      const kept = await act(this.#parts, 'TEXT_CHAT_MESSAGE', { session_id, id, text })
      apply({ what: 'text_sent', session_id, ...kept, id })
    } catch (error) {
      apply({ what: 'text_failed', session_id, id })
      // Without an answer the bubble says enough: it offers to try again.
      if (error instanceof RefusedError)
        reportUnless(this.#parts, error, 'TEXT_CHAT_MESSAGE', 'not_found')
    }
  }
}
