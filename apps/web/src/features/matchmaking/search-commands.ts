import { isRefused } from '@duet/client'
import type { Locale } from '@duet/protocol'
import { cancelCallCaptcha } from '../../shared/account/captcha-view.ts'
import { act, reportUnless } from '../../shared/connection/command-context.ts'
import { createRingCommands, type RingCommands, type RingContext } from './ring-commands.ts'

interface StartOptions {
  /** False for entry links that open the camera without an explanation. */
  explains?: boolean
  /** The next search after a call: a camera that the user switched off stays off. */
  keepsWish?: boolean
  asksAdult?: () => Promise<boolean>
}

export interface SearchContext extends RingContext {
  isInCall(): boolean
  /** Resolves to true when the camera is open. Otherwise a screen explains what to do. */
  requestCamera(explains: boolean, keepsWish?: boolean): Promise<boolean>
  /** Resolves when the server has closed the call that this page left without an answer: within a call it refuses a search. */
  leaveAbandoned(): Promise<void>
}

/** The commands of the user before a call: start, answer offers, stop. */
export interface SearchCommands extends RingCommands {
  start(options?: StartOptions): Promise<void>
  search(): Promise<void>
  stop(): Promise<void>
  /** The page of the search was left, without a press on Stop: the receipt of the last call stays. */
  leavePage(): Promise<void>
  accept(): Promise<void>
  skip(): Promise<void>
  chooseLanguages(languages: readonly Locale[]): void
  setAutoAccept(on: boolean): Promise<void>
}

export function createSearchCommands(context: SearchContext): SearchCommands {
  const { services, apply, getState } = context
  /** Counts Start and Stop, so that a Stop also ends a search that has not been requested yet. */
  let presses = 0
  let isStopped = false

  async function search(): Promise<void> {
    const press = (presses += 1)
    isStopped = false
    apply({ type: 'start_pressed', at_ms: Date.now() })
    try {
      await context.leaveAbandoned()
      if (press !== presses) return
      const { wanted_languages } = getState()
      const wanted = wanted_languages.length > 0 ? { locales: [...wanted_languages] } : {}
      const payload = await act(context, 'MATCH_AWAIT', wanted)
      // A search that waited for a captcha may begin after the Stop.
      if (press !== presses) return isStopped ? await leaveQueue() : undefined
      // A call may have opened before its own search was answered.
      if (!context.isInCall()) apply({ type: 'search_state', payload, at_ms: Date.now() })
    } catch (error) {
      apply({ type: 'start_failed' })
      // The user has pressed Stop since, also while a captcha was being solved.
      if (press !== presses) return
      reportUnless(context, error, 'MATCH_AWAIT', 'in_call')
    }
  }

  async function leaveQueue(): Promise<void> {
    await act(context, 'OUT_FROM_SEARCH', {}).catch(services.report)
  }

  async function stop(type: 'stop_pressed' | 'search_left'): Promise<void> {
    presses += 1
    isStopped = true
    cancelCallCaptcha('MATCH_AWAIT')
    apply({ type })
    await leaveQueue()
  }

  return {
    search,
    /** Age and terms first, then the camera, then the search. */
    async start({ explains = true, keepsWish = false, asksAdult } = {}) {
      if (asksAdult && !(await asksAdult())) return
      if (await context.requestCamera(explains, keepsWish)) await search()
    },
    stop: () => stop('stop_pressed'),
    leavePage: () => stop('search_left'),
    ...offerCommands(context),
    ...createRingCommands(context),
    chooseLanguages(languages) {
      apply({ type: 'languages_chosen', languages })
    },
    async setAutoAccept(on) {
      const { connection, report } = services
      connection.patchUser({ auto_accept: on })
      try {
        await act(context, 'UPDATE_PROFILE', { auto_accept: on })
      } catch (error) {
        connection.patchUser({ auto_accept: !on })
        report(error)
      }
    },
  }
}

function offerCommands(context: SearchContext): Pick<SearchCommands, 'accept' | 'skip'> {
  const { services, apply, getState } = context
  return {
    async accept() {
      const { offer } = getState()
      if (!offer || offer.answer !== null) return
      const { pair_id } = offer.pair
      apply({ type: 'offer_answered', pair_id, answer: 'accept' })
      try {
        await act(context, 'SEARCH_PAIR_ACCEPT', { pair_id })
      } catch (error) {
        apply({ type: 'offer_answered', pair_id, answer: null })
        if (isRefused(error, 'SEARCH_PAIR_ACCEPT', 'pair_over'))
          apply({ type: 'offer_expired', pair_id })
        else services.report(error)
      }
    },
    async skip() {
      const { offer } = getState()
      if (!offer) return
      const { pair_id } = offer.pair
      apply({ type: 'offer_answered', pair_id, answer: 'skip' })
      await act(context, 'SEARCH_PAIR_REJECT', { pair_id }).catch((error: unknown) =>
        reportUnless(context, error, 'SEARCH_PAIR_REJECT', 'pair_over'),
      )
    },
  }
}
