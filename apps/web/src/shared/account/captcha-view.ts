import type { CaptchaChallenge } from '@duet/protocol/kernel/captcha.ts'
import { createStore } from '../observable-store.ts'

/** The captcha that the page solves now. */
export interface CaptchaView {
  readonly key: number
  /** In search it is shown in the empty petal, everywhere else in a dialog. */
  readonly place: 'search' | 'dialog'
  readonly phase: 'solving' | 'failed'
  readonly challenge: CaptchaChallenge
  /** The user answered the check of an outside provider. */
  readonly answer: (payload: string) => void
  readonly fail: () => void
  readonly retry: () => void
  readonly cancel: () => void
}

export const captchaView = createStore<CaptchaView | undefined>(undefined)
