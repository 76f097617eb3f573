import { isRefused } from '@duet/client'
import type { Locale } from '@duet/protocol'
import { canCall } from '@duet/call-engine'
import { act, reportUnless, runningCall, type CommandParts } from './act.ts'
import { cameraPermission } from './permission.ts'

interface StartOptions {
  /** False for entry links that begin with the camera at once. */
  explains?: boolean
  asksAdult?: () => Promise<boolean>
}

/** From the press to the call: age, camera, search, offer. */
export class SearchCommands {
  #parts: CommandParts
  #locales: readonly Locale[] = []

  constructor(parts: CommandParts) {
    this.#parts = parts
    const { media, getState, apply } = parts
    // The camera came while its absence was explained: by a press in the browser's own settings, or a cable.
    media.subscribe(() => {
      if (getState().gate !== 'denied' || !media.getSnapshot().video_track) return
      apply({ what: 'gate', gate: null })
      void this.#goOn()
    })
  }

  /** Age and terms first, then the camera, then the search. */
  start = async ({ explains = true, asksAdult }: StartOptions = {}): Promise<void> => {
    if (asksAdult && !(await asksAdult())) return
    if (await this.#camera(explains)) await this.search()
  }

  /** The explanation was read: the browser may ask. */
  allow = async (): Promise<void> => {
    if (await this.#acquire()) await this.#goOn()
  }

  closeGate = (): void => this.#parts.apply({ what: 'gate', gate: null })

  /** After AUTH: what ran before a reload needs its camera again. */
  resume = (): void => {
    const { call, search, gate } = this.#parts.getState()
    const runs = call || search.state === 'waiting' || search.state === 'offered'
    if (gate === null && runs) void this.#camera(true)
  }

  search = async (): Promise<void> => {
    const { apply } = this.#parts
    apply({ what: 'start_pressed', at_ms: Date.now() })
    try {
      const wanted = this.#locales.length > 0 ? { locales: [...this.#locales] } : {}
      const search = await act(this.#parts, 'MATCH_AWAIT', wanted)
      // A call may have opened before its own search was answered.
      if (!runningCall(this.#parts)) apply({ what: 'search_state', search, at_ms: Date.now() })
    } catch (error) {
      apply({ what: 'start_failed' })
      reportUnless(this.#parts, error, 'MATCH_AWAIT', 'in_call')
    }
  }

  stop = async (): Promise<void> => {
    this.#parts.apply({ what: 'stop_pressed' })
    await act(this.#parts, 'OUT_FROM_SEARCH', {}).catch(this.#parts.session.report)
  }

  accept = async (): Promise<void> => {
    const { apply, getState, session } = this.#parts
    const { offer } = getState()
    if (!offer || offer.answer !== null) return
    const { pair_id } = offer.pair
    apply({ what: 'offer_answered', pair_id, answer: 'accept' })
    try {
      await act(this.#parts, 'SEARCH_PAIR_ACCEPT', { pair_id })
    } catch (error) {
      apply({ what: 'offer_answered', pair_id, answer: null })
      if (isRefused(error, 'SEARCH_PAIR_ACCEPT', 'pair_over'))
        apply({ what: 'search_pair_closed', pair_id, reason: 'expired' })
      else session.report(error)
    }
  }

  skip = async (): Promise<void> => {
    const { apply, getState } = this.#parts
    const { offer } = getState()
    if (!offer) return
    const { pair_id } = offer.pair
    apply({ what: 'offer_answered', pair_id, answer: 'skip' })
    await act(this.#parts, 'SEARCH_PAIR_REJECT', { pair_id }).catch((error: unknown) =>
      reportUnless(this.#parts, error, 'SEARCH_PAIR_REJECT', 'pair_over'),
    )
  }

  chooseLanguages = (locales: readonly Locale[]): void => {
    this.#locales = locales
  }

  /** True when the camera is there; else the screen that says what to do stands. */
  async #camera(explains: boolean): Promise<boolean> {
    const { media, apply } = this.#parts
    if (media.getSnapshot().video_track) return true
    if (!canCall()) {
      apply({ what: 'gate', gate: 'denied' })
      return false
    }
    if (!explains || (await cameraPermission()) === 'granted') return this.#acquire()
    apply({ what: 'gate', gate: 'permission' })
    return false
  }

  async #acquire(): Promise<boolean> {
    const { media, apply } = this.#parts
    await media.acquire()
    const has_camera = media.getSnapshot().video_track !== null
    apply({ what: 'gate', gate: has_camera ? null : 'denied' })
    return has_camera
  }

  async #goOn(): Promise<void> {
    const { call, search } = this.#parts.getState()
    if (!call && search.state === 'idle') await this.search()
  }
}
