import { createSerialRunner } from '@duet/state-machine/serial-queue.ts'
import type { CaptchaChallenge } from '@duet/protocol/kernel/captcha.ts'
import { captchaView, type CaptchaView } from '../../../shared/account/captcha-view.ts'
import { CONNECTION_WAIT_MS } from '../../../shared/app-services.tsx'
import { dialogs } from '../../../shared/dialogs.ts'
import { solveChallengeWorkers, type Challenge } from 'altcha-lib'
import { trustedScript } from '@duet/client/page/trusted-scripts.ts'
// oxlint-disable-next-line import/default -- Vite exports the address
import workerAddress from './altcha-worker.ts?worker&url'

/** A captcha that is solved sooner shows no dialog: the control that the user pressed is busy anyway. */
const DIALOG_AFTER_MS = 800
const SEARCH_CALL = 'MATCH_AWAIT'
const AUTH_CALL = 'AUTH'
/** The payload of a browser in which the provider's check does not work: the built-in captcha follows. */
export const CAPTCHA_UNREACHABLE = 'unreachable'
/** The second failure of a provider's check is not the user's: a frame that is blocked fails each time. */
const PROVIDER_FAILURES_MAX = 2

type Place = CaptchaView['place']

let lastKey = 0
const solveInOrder = createSerialRunner()
let isAuthGivenUp = false
let lastPressAtMs = -Infinity
for (const type of ['pointerdown', 'keydown'])
  addEventListener(type, () => (lastPressAtMs = performance.now()), {
    capture: true,
    passive: true,
  })

/** Solves one captcha after the other. Resolves to the payload. If the user gave up, resolves to undefined. */
export function solveCaptcha(
  challenge: CaptchaChallenge,
  call: string,
): Promise<string | undefined> {
  const place = getPlace(challenge, call)
  return solveInOrder(async () => {
    // A provider's check needs the user's attention.
    if (place === 'background' && challenge.kind !== 'altcha') return undefined
    const payload = await solveOne(challenge, call, place)
    if (call === AUTH_CALL) {
      isAuthGivenUp = payload === undefined
      // The press that gave it up asks for nothing.
      lastPressAtMs = -Infinity
    }
    return payload
  })
}

/**
 * A dialog takes the focus, so only a press may open a dialog. AUTH opens the dialog once without a press, because
 * nothing works before AUTH.
 */
function getPlace({ kind }: CaptchaChallenge, call: string): Place {
  if (kind === 'altcha' && call === SEARCH_CALL) return 'search'
  if (call === AUTH_CALL) return isAuthGivenUp && !wasPressed() ? 'background' : 'dialog'
  return call.startsWith('GET ') && !isPressed() ? 'background' : 'dialog'
}

/** A socket, its keys and AUTH lie between a press and the challenge: on a slow network more than the browser remembers. */
function wasPressed(): boolean {
  return performance.now() - lastPressAtMs < CONNECTION_WAIT_MS
}

/** Whether the user pressed a control in the last seconds. True in a browser that does not report presses. */
function isPressed(): boolean {
  const { userActivation } = navigator as Partial<Navigator>
  return userActivation?.isActive !== false
}

function solveOne(
  challenge: CaptchaChallenge,
  call: string,
  place: Place,
): Promise<string | undefined> {
  const key = (lastKey += 1)
  return new Promise((resolve) => {
    const abort = new AbortController()
    let failures = 0
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
      captchaView.set({ key, call, place, phase, challenge, answer: end, fail, retry, cancel })
    const fail = () => {
      if (abort.signal.aborted) return
      failures += 1
      if (place === 'background') end(undefined)
      else if (challenge.kind !== 'altcha' && failures >= PROVIDER_FAILURES_MAX)
        end(CAPTCHA_UNREACHABLE)
      else show('failed')
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

/** A phone in a hurry keeps cores for its page. */
const WORKERS_MAX = 4
const TIMEOUT_MS = 90_000

/**
 * Solves a challenge in workers, so that the page stays usable. Resolves to the payload. Rejects without a solution.
 */
async function solveAltcha(given: object, signal: AbortSignal): Promise<string> {
  const challenge = given as Challenge
  const controller = new AbortController()
  signal.addEventListener('abort', () => controller.abort(), { once: true })
  const solution = await solveChallengeWorkers({
    challenge,
    concurrency: Math.min(WORKERS_MAX, Math.max(1, (navigator.hardwareConcurrency ?? 2) - 1)),
    controller,
    createWorker: () => new Worker(trustedScript(workerAddress), { type: 'module' }),
    timeout: TIMEOUT_MS,
  })
  if (!solution) throw new Error('The captcha was not solved in time')
  return btoa(JSON.stringify({ challenge, solution }))
}
