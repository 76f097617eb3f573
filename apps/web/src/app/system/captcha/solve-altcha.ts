import { solveChallengeWorkers, type Challenge } from 'altcha-lib'
import { trustedScript } from '../../../shared/navigation/trusted-scripts.ts'
// oxlint-disable-next-line import/default -- Vite exports the address
import workerAddress from './altcha-worker.ts?worker&url'

/** A phone in a hurry keeps cores for its page. */
const WORKERS_MAX = 4
const TIMEOUT_MS = 90_000

/**
 * Solves a challenge in workers, so that the page stays usable. Resolves to the payload. Rejects without a solution.
 */
export async function solveAltcha(given: object, signal: AbortSignal): Promise<string> {
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
