import { limits } from '@duet/protocol/kernel/limits.ts'
import type { ConnectionProblem } from './connection-problem.ts'

/** This many attempts in a row follow each other quickly: a server that is restarted is back by then. */
const QUICK_ATTEMPTS = 4
const RETRY_MAX_MS = 60_000
/** After an internal error of the server the page tries again this often. Then the page waits for the user. */
const INTERNAL_ATTEMPTS_MAX = 8
/** Clients that received the same time must not return at the same moment. */
const SPREAD_MS = 2000

/**
 * The time until the next attempt to connect. If the server would refuse the same attempt again, the result is
 * undefined: only the user can help.
 *
 * @param failures attempts that failed in a row, with this attempt
 * @param random from 0 to 1
 */
export function retryDelayMs(
  problem: ConnectionProblem,
  failures: number,
  nowMs: number,
  random: number,
): number | undefined {
  switch (problem.type) {
    case 'too_old':
      return undefined
    case 'draining':
    case 'too_many':
      return Math.max(0, problem.until_ms - nowMs) + random * SPREAD_MS
    case 'refused':
      return problem.error.refusal === 'internal' && failures <= INTERNAL_ATTEMPTS_MAX
        ? backoffMs(failures, random)
        : undefined
    case 'offline':
      return backoffMs(failures, random)
  }
}

/** Doubles after the quick attempts. A third of jitter on both sides: after a restart not all clients come back together. */
function backoffMs(failures: number, random: number): number {
  const doublings = Math.max(0, failures - QUICK_ATTEMPTS)
  const ms = Math.min(limits.reconnect_ms * 2 ** doublings, RETRY_MAX_MS)
  return ms * (0.67 + random * 0.66)
}
