import { beforeEach, expect, test, vi } from 'vitest'
import type { CaptchaChallenge } from '@duet/protocol/kernel/captcha.ts'
import { captchaView } from '../../../shared/account/captcha-view.ts'
import { dialogs } from '../../../shared/dialogs.ts'
import { solveCaptcha } from './solve-captcha.ts'

const challenge = { kind: 'turnstile', public_key: 'key' } as unknown as CaptchaChallenge

beforeEach(() => dialogs.closeAll())

test('Back on the dialog gives the captcha up, and the next one is asked for', async () => {
  const first = solveCaptcha(challenge, 'AUTH')
  await vi.waitFor(() => expect(dialogs.getSnapshot()).toHaveLength(1))
  dialogs.closeTop()
  expect(await first).toBeUndefined()
  dispatchEvent(new Event('pointerdown'))
  const second = solveCaptcha(challenge, 'AUTH')
  await vi.waitFor(() => expect(dialogs.getSnapshot()).toHaveLength(1))
  captchaView.getSnapshot()!.answer('payload')
  expect(await second).toBe('payload')
})
