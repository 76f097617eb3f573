import { type AnsweredRefusal, NoAnswerError, RefusedError } from './call-errors.ts'

/**
 * Why there is no connection. `offline`: no answer came. `refused`: the server answered AUTH or `GET system` with a
 * refusal. `too_old`: the page must be loaded again to speak to this server. `draining`: the server restarts and is
 * expected back at `until_ms` (milliseconds since 1970).
 */
export type ConnectionProblem =
  | { readonly type: 'offline' }
  | { readonly type: 'refused'; readonly refusal: AnsweredRefusal }
  | { readonly type: 'too_old' }
  | { readonly type: 'draining'; readonly until_ms: number }

export const OFFLINE: ConnectionProblem = { type: 'offline' }

const DRAIN_MS = 3000

/** The problem behind an error that ended an attempt to connect. An error of ours is reported and counts as offline. */
export function problemOf(error: unknown, nowMs: number): ConnectionProblem {
  if (error instanceof RefusedError) return refusedProblem(error, nowMs)
  if (!(error instanceof NoAnswerError)) reportError?.(error)
  return OFFLINE
}

export function drainingFor(afterMs: number, nowMs: number): ConnectionProblem {
  return { type: 'draining', until_ms: nowMs + afterMs }
}

function refusedProblem(
  { refusal, additional, code }: RefusedError,
  nowMs: number,
): ConnectionProblem {
  if (refusal === 'client_old') return { type: 'too_old' }
  if (refusal === 'draining') {
    const seconds = additional.retry_after
    return drainingFor(typeof seconds === 'number' ? seconds * 1000 : DRAIN_MS, nowMs)
  }
  // An answer without a code is a proxy's page about a server that is not there.
  return refusal === 'unknown' && code === 0 ? OFFLINE : { type: 'refused', refusal }
}
