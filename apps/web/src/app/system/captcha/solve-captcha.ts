import type { CaptchaChallenge } from '@duet/protocol/kernel/captcha.ts'
import { captchaView, type CaptchaView } from '../../../shared/account/captcha-view.ts'
import { dialogs } from '../../../shared/dialogs.ts'
import { solveAltcha } from './solve-altcha.ts'

/** A captcha that is solved sooner shows no dialog: the control that the user pressed is busy anyway. */
const DIALOG_AFTER_MS = 800
const SEARCH_CALL = 'MATCH_AWAIT'

let lastKey = 0
let queue: Promise<unknown> = Promise.resolve()

/** Solves one captcha after the other. Resolves with the payload, or with undefined when the user gave up. */
export function solveCaptcha(
  challenge: CaptchaChallenge,
  call: string,
): Promise<string | undefined> {
  const solved = queue.then(() => solveOne(challenge, call))
  queue = solved
  return solved
}

function solveOne(challenge: CaptchaChallenge, call: string): Promise<string | undefined> {
  const place = challenge.kind === 'altcha' && call === SEARCH_CALL ? 'search' : 'dialog'
  const key = (lastKey += 1)
  return new Promise((resolve) => {
    const abort = new AbortController()
    // Back, or a dialog that does not load, closes it as well: the user gave up.
    const openDialog = () => void dialogs.ask('captcha', { key }).then(() => end(undefined))
    const delayMs = challenge.kind === 'altcha' ? DIALOG_AFTER_MS : 0
    const timer = place === 'dialog' ? setTimeout(openDialog, delayMs) : undefined
    const end = (payload: string | undefined) => {
      if (abort.signal.aborted) return
      clearTimeout(timer)
      abort.abort()
      captchaView.set(undefined)
      resolve(payload)
    }
    const show = (phase: CaptchaView['phase']) =>
      captchaView.set({ key, place, phase, challenge, answer: end, fail, retry, cancel })
    const fail = () => {
      if (!abort.signal.aborted) show('failed')
    }
    const cancel = () => end(undefined)
    const retry = () => {
      show('solving')
      if (challenge.kind === 'altcha')
        solveAltcha(challenge.challenge, abort.signal).then(end, fail)
    }
    retry()
  })
}
