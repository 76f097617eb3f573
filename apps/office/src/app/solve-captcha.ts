import { solveChallenge, type Challenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'
import type { SolveCaptcha } from '@duet/client'

/** The entrance has no place for the frame of another provider: for this answer the server asks with the built-in one. */
const CAPTCHA_UNREACHABLE = 'unreachable'

/** Solves the built-in captcha. */
export const solveCaptcha: SolveCaptcha = async (asked) => {
  if (asked.kind !== 'altcha') return CAPTCHA_UNREACHABLE
  const challenge = asked.challenge as unknown as Challenge
  const solution = await solveChallenge({ challenge, deriveKey })
  return solution ? btoa(JSON.stringify({ challenge, solution })) : undefined
}
