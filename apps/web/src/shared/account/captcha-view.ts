import type { CaptchaChallenge } from '@duet/protocol/kernel/captcha.ts'
import { createStore } from '../observable-store.ts'

/** The captcha that the page solves now. */
export interface CaptchaView {
  readonly key: number
  /** The call that was refused: an action, or method and path. */
  readonly call: string
  /**
   * In search the captcha is in the empty petal. For a call without a press the captcha is invisible. Otherwise it is
   * in a dialog.
   */
  readonly place: 'search' | 'dialog' | 'background'
  readonly phase: 'solving' | 'failed'
  readonly challenge: CaptchaChallenge
  /** The user answered the check of an outside provider. */
  readonly answer: (payload: string) => void
  readonly fail: () => void
  readonly retry: () => void
  readonly cancel: () => void
}

export const captchaView = createStore<CaptchaView | undefined>(undefined)

/** Stop ends the captcha of a search, which otherwise would begin after it. */
export function cancelCallCaptcha(call: string): void {
  const view = captchaView.getSnapshot()
  if (view?.call === call) view.cancel()
}
