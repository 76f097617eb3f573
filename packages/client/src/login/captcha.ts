import type { CaptchaChallenge } from '@duet/protocol/kernel/captcha.ts'
import { RefusedError } from '../call-errors.ts'

/**
 * Lets a person, or the page itself, solve the captcha that `call` was refused with. Resolves with the payload; with
 * undefined when the user gave up, then the call stays refused.
 */
export type SolveCaptcha = (
  challenge: CaptchaChallenge,
  call: string,
) => Promise<string | undefined>

/** A challenge may have expired, and a provider that does not answer is followed by the built-in one. */
const SOLUTIONS_MAX = 3

/** Sends an action; where a captcha is asked for, passes it on the same socket and sends the action again, once. */
export function withCaptcha(
  request: (action: string, data: unknown) => Promise<unknown>,
  solve: SolveCaptcha | undefined,
): (action: string, data: unknown) => Promise<unknown> {
  if (!solve) return request
  return async (action, data) => {
    try {
      return await request(action, data)
    } catch (error) {
      const isPassed = await solveInTurn(error, action, solve, (payload) =>
        request('CAPTCHA', { payload }),
      )
      if (!isPassed) throw error
      return request(action, data)
    }
  }
}

/** Sends an HTTP call; where a captcha is asked for, sends the call again with its solution. */
export async function sentWithCaptcha<Answer>(
  send: (captcha?: string) => Promise<Answer>,
  call: string,
  solve: SolveCaptcha | undefined,
): Promise<Answer> {
  try {
    return await send()
  } catch (error) {
    let answer: { readonly value: Answer } | undefined
    const isPassed = await solveInTurn(error, call, solve, async (payload) => {
      answer = { value: await send(payload) }
    })
    if (!isPassed || !answer) throw error
    return answer.value
  }
}

/** Solves and hands in until a solution is accepted. False: there is nothing to solve, or the user gave up. */
async function solveInTurn(
  refused: unknown,
  call: string,
  solve: SolveCaptcha | undefined,
  handIn: (payload: string) => Promise<unknown>,
): Promise<boolean> {
  let challenge = challengeIn(refused)
  for (let solutions = 1; solve && challenge; solutions += 1) {
    const payload = await solve(challenge, call)
    if (payload === undefined) return false
    try {
      await handIn(payload)
      return true
    } catch (error) {
      challenge = challengeIn(error)
      if (!challenge || solutions === SOLUTIONS_MAX) throw error
    }
  }
  return false
}

function challengeIn(error: unknown): CaptchaChallenge | undefined {
  if (!(error instanceof RefusedError) || error.refusal !== 'captcha_required') return undefined
  const { challenge } = error.additional
  return isChallenge(challenge) ? challenge : undefined
}

/** Not by the contract: its library would be loaded with the first page. */
function isChallenge(value: unknown): value is CaptchaChallenge {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return false
  return value.kind === 'altcha' ? 'challenge' in value : 'key' in value
}
