import { solveChallenge, type Challenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'
import type { SolveCaptcha } from '@duet/client'

/** Solves the built-in captcha. The entrance has no place for the frame of another provider. */
export const solveCaptcha: SolveCaptcha = async (asked) => {
  if (asked.kind !== 'altcha') return undefined
  const challenge = asked.challenge as unknown as Challenge
  const solution = await solveChallenge({ challenge, deriveKey })
  return solution ? btoa(JSON.stringify({ challenge, solution })) : undefined
}
