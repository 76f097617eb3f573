import type { CaptchaChallenge } from '@duet/protocol/kernel/captcha.ts'
import { RefusedError } from '../call-errors.ts'

/**
 * Lets a person or the page solve the captcha that `call` was refused with. Resolves to the payload. If the user gives
 * up, resolves to undefined, and the call stays refused.
 */
export type SolveCaptcha = (
  challenge: CaptchaChallenge,
  call: string,
) => Promise<string | undefined>

/** A challenge may have expired. The built-in challenge follows a provider that does not answer. */
const SOLUTIONS_MAX = 3

/**
 * Sends an action. If the server asks for a captcha, passes the captcha on the same socket and sends the action once
 * more.
 */
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

type Outcome = 'passed' | 'given up' | 'failed'

/** Sends HTTP calls of one page. If the server asks for a captcha, sends the call again with the solution. */
export function createHttpCaptcha(solve: SolveCaptcha | undefined) {
  let solving: Promise<Outcome> | undefined

  async function solved<Answer>(
    refused: unknown,
    send: (captcha?: string) => Promise<Answer>,
    call: string,
  ): Promise<Answer> {
    let answer: { readonly value: Answer } | undefined
    const passing = solveInTurn(refused, call, solve, async (payload) => {
      answer = { value: await send(payload) }
    })
    const known = passing.then(
      (isPassed): Outcome => (isPassed ? 'passed' : 'given up'),
      (): Outcome => 'failed',
    )
    solving = known
    try {
      if (!(await passing) || !answer) throw refused
      return answer.value
    } finally {
      if (solving === known) solving = undefined
    }
  }

  return async <Answer>(
    send: (captcha?: string) => Promise<Answer>,
    call: string,
  ): Promise<Answer> => {
    try {
      return await send()
    } catch (error) {
      if (!solve || !challengeIn(error)) throw error
      // Several calls of a page meet the same limit at the same moment. The captcha of the first call usually ends the
      // limit for the other calls. If no captcha is being solved, this call must begin a captcha before any await: a
      // second call would begin another captcha.
      const outcome = solving && (await solving)
      // If the user gave up a captcha, the waiting calls do not ask the user for another captcha.
      if (outcome === 'given up') throw error
      if (outcome !== 'passed') return solved(error, send, call)
    }
    try {
      return await send()
    } catch (error) {
      if (!challengeIn(error)) throw error
      return solved(error, send, call)
    }
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
