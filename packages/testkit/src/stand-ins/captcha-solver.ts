import { solveChallenge, type Challenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import type { ActionName, Sent } from '@duet/protocol'
import { type TestUser, WireRefused } from '../test-user.ts'

/** The solution of a built-in challenge, as a browser sends it. */
export async function solvedCaptcha(additional: Record<string, unknown>): Promise<string> {
  const { challenge } = additional.challenge as { challenge: Challenge }
  const solution = await solveChallenge({ challenge, deriveKey })
  return captchaPayload({ challenge, solution })
}

export function captchaPayload(content: unknown): string {
  return Buffer.from(JSON.stringify(content)).toString('base64')
}

/** Sends an action; where a captcha is asked for, solves it and sends the action again once, as a page does. */
export async function actAsPerson<A extends ActionName>(
  user: TestUser,
  action: A,
  data: Sent<A>,
): ReturnType<typeof user.act<A>> {
  try {
    return await user.act(action, data)
  } catch (error) {
    if (!(error instanceof WireRefused) || error.refusal !== 'captcha_required') throw error
    await user.act('CAPTCHA', { payload: await solvedCaptcha(error.additional) })
    return user.act(action, data)
  }
}
