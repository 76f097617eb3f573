import type { Locale } from '@duet/protocol'
import type { ActionName, Sent } from '@duet/protocol'
import { Refused } from '@duet/client'
import type { Session } from '../../../lib/session.tsx'
import type { LocalMedia } from '../engine/index.ts'
import type { CallState, Happened, Leaving } from '../state/call-state.ts'
import { cameraPermission } from './permission.ts'

/** What a person can do in search and calls. Nothing here decides what is shown: it tells the server and what happened. */
export interface CallCommands {
  /** Start: age and terms, then the camera, then the search. */
  start(options?: { explains?: boolean; asksAdult?: () => Promise<boolean> }): Promise<void>
  /** The explanation was read: the browser may ask. */
  allow(): Promise<void>
  closeGate(): void
  /** After AUTH: what ran before the reload needs its camera again. */
  resume(): void
  stop(): Promise<void>
  accept(): Promise<void>
  skip(): Promise<void>
  leave(how: Leaving): Promise<void>
  setBreak(on: boolean): Promise<void>
  askPrivate(): Promise<void>
  answerPrivate(accept: boolean): Promise<void>
  sendText(text: string): Promise<void>
  retryText(id: string): Promise<void>
  typing(): void
  setAutoAccept(on: boolean): Promise<void>
  chooseLanguages(locales: readonly Locale[]): void
  chooseDevice(kind: 'camera' | 'microphone', device_id: string): Promise<void>
  closeReceipt(): void
  /** The screen is left: without a call or a search nobody needs the camera. */
  leavePage(): void
}

export interface CommandParts {
  session: Session
  media: LocalMedia
  apply(happened: Happened): void
  getState(): CallState
}

const in_call = 304
const pair_over = 309
const too_many = 601
const not_found = 305
/** The server forgets typing after 3 s; telling more often says nothing more. */
const TYPING_EVERY_MS = 2_000

export function createCommands(parts: CommandParts): CallCommands {
  const { session, media, apply, getState } = parts
  const { connection, persistence, report } = session
  let locales: readonly Locale[] = []
  let typed_at_ms = 0

  const act = <A extends ActionName>(action: A, sent: Sent<A>) => connection.act(action, sent)
  const reportBut = (error: unknown, ...codes: number[]) => {
    if (!(error instanceof Refused) || !codes.includes(error.code)) report(error)
  }
  const call = () => getState().call

  async function search(): Promise<void> {
    apply({ what: 'start_pressed', at_ms: Date.now() })
    try {
      const wanted = locales.length > 0 ? { locales: [...locales] } : {}
      const found = await act('MATCH_AWAIT', wanted)
      // A call may have opened before its own search was answered.
      if (!call()) apply({ what: 'search_state', search: found, at_ms: Date.now() })
    } catch (error) {
      apply({ what: 'start_failed' })
      reportBut(error, in_call)
    }
  }

  /** True when the camera is there; else the screen that says what to do stands. */
  async function camera(explains: boolean): Promise<boolean> {
    if (media.getSnapshot().video_track) return true
    if (explains && (await cameraPermission()) !== 'granted') {
      apply({ what: 'gate', gate: 'permission' })
      return false
    }
    return acquire()
  }

  async function acquire(): Promise<boolean> {
    await media.acquire()
    const has_camera = media.getSnapshot().video_track !== null
    apply({ what: 'gate', gate: has_camera ? null : 'denied' })
    return has_camera
  }

  async function goOn(): Promise<void> {
    const { call: running, search: searching } = getState()
    if (!running && searching.state === 'idle') await search()
  }

  async function send(session_id: number, id: string, text: string): Promise<void> {
    apply({ what: 'text_written', session_id, id, text, at_ms: Date.now() })
    try {
      const kept = await act('TEXT_CHAT_MESSAGE', { session_id, id, text })
      apply({ what: 'text_sent', session_id, ...kept, id })
    } catch (error) {
      apply({ what: 'text_failed', session_id, id })
      if (error instanceof Refused) reportBut(error, not_found)
    }
  }

  // The camera came while its absence was explained: a press in the browser's own settings, or a cable.
  media.subscribe(() => {
    if (getState().gate !== 'denied' || !media.getSnapshot().video_track) return
    apply({ what: 'gate', gate: null })
    void goOn()
  })

  return {
    async start({ explains = true, asksAdult } = {}) {
      if (asksAdult && !(await asksAdult())) return
      if (await camera(explains)) await search()
    },
    async allow() {
      if (await acquire()) await goOn()
    },
    closeGate: () => apply({ what: 'gate', gate: null }),
    resume() {
      const { call: running, search: searching, gate } = getState()
      if (gate === null && (running || searching.state === 'waiting' || searching.state === 'offered')) void camera(true)
    },
    async stop() {
      apply({ what: 'stop_pressed' })
      await act('OUT_FROM_SEARCH', {}).catch(report)
    },
    async accept() {
      const { offer } = getState()
      if (!offer || offer.answer !== null) return
      const { pair_id } = offer.pair
      apply({ what: 'offer_answered', pair_id, answer: 'accept' })
      try {
        await act('SEARCH_PAIR_ACCEPT', { pair_id })
      } catch (error) {
        apply({ what: 'offer_answered', pair_id, answer: null })
        if (error instanceof Refused && error.code === pair_over)
          apply({ what: 'search_pair_closed', pair_id, reason: 'expired' })
        else report(error)
      }
    },
    async skip() {
      const { offer } = getState()
      if (!offer) return
      const { pair_id } = offer.pair
      apply({ what: 'offer_answered', pair_id, answer: 'skip' })
      await act('SEARCH_PAIR_REJECT', { pair_id }).catch((error) => reportBut(error, pair_over))
    },
    async leave(how) {
      const running = call()
      if (!running || running.leaving) return
      const session_id = running.session.id
      const is_girl = getState().me?.role === 'girl'
      apply({ what: 'leaving', session_id, how })
      try {
        const wish = { ...(how === 'break' && { break: true }), ...(how === 'next' && !is_girl && { next: true }) }
        const receipt = await act('BREAK_SESSION', { session_id, ...wish })
        apply({ what: 'close_session', receipt, at_ms: Date.now() })
      } catch (error) {
        apply({ what: 'leaving', session_id, how: null })
        report(error)
        return
      }
      // The server puts back in search; asking again changes nothing there and mends what was missed.
      if (how === 'next' && !(is_girl && running.session.break_set)) await search()
    },
    async setBreak(on) {
      const running = call()
      if (!running) return
      const session_id = running.session.id
      apply({ what: 'break_set', session_id, on })
      try {
        await (on ? act('OUT_FROM_SEARCH', {}) : act('MATCH_AWAIT', {}))
      } catch (error) {
        // The answer to a search within a call is that there is a call; the break is taken back all the same.
        if (error instanceof Refused && error.code === in_call) return
        apply({ what: 'break_set', session_id, on: !on })
        report(error)
      }
    },
    async askPrivate() {
      const running = call()
      if (!running || running.session.state === 'private' || running.own_ask) return
      const session_id = running.session.id
      try {
        const { expires_in_ms } = await act('SESSION_UP', { session_id })
        apply({ what: 'asked_private', session_id, expires_at_ms: Date.now() + expires_in_ms })
      } catch (error) {
        reportBut(error, too_many)
      }
    },
    async answerPrivate(accept) {
      const running = call()
      if (!running?.ask) return
      const session_id = running.session.id
      apply({ what: 'answered_private', session_id })
      await act('SESSION_UP_REACTION', { session_id, accept }).catch((error) => reportBut(error, pair_over))
    },
    async sendText(text) {
      const running = call()
      if (running && text.trim()) await send(running.session.id, crypto.randomUUID(), text.trim())
    },
    async retryText(id) {
      const running = call()
      const failed = running?.texts.find((text) => text.id === id && text.state === 'failed')
      if (running && failed) await send(running.session.id, id, failed.text)
    },
    typing() {
      const running = call()
      const now_ms = Date.now()
      if (!running || now_ms - typed_at_ms < TYPING_EVERY_MS) return
      typed_at_ms = now_ms
      act('SESSION_TYPING', { session_id: running.session.id }).catch(() => {})
    },
    async setAutoAccept(on) {
      connection.patchUser({ auto_accept: on })
      try {
        await act('UPDATE_PROFILE', { auto_accept: on })
      } catch (error) {
        connection.patchUser({ auto_accept: !on })
        report(error)
      }
    },
    chooseLanguages(chosen) {
      locales = chosen
    },
    async chooseDevice(kind, device_id) {
      persistence.set(kind === 'camera' ? 'video_device' : 'audio_device', device_id)
      await (kind === 'camera' ? media.chooseCamera(device_id) : media.chooseMicrophone(device_id))
    },
    closeReceipt: () => apply({ what: 'receipt_closed' }),
    leavePage() {
      const { call: running, search: searching, starting } = getState()
      if (!running && !starting && searching.state === 'idle') media.release()
    },
  }
}
