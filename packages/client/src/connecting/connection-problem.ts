import { NoAnswerError, RefusedError } from '../call-errors.ts'

/**
 * Why there is no connection:
 *
 * - `offline`: no answer came.
 * - `refused`: the server refused AUTH or `GET system`.
 * - `too_old`: this server needs a newer page, so the page must be loaded again.
 * - `draining`: the server restarts and is expected back at `until_ms` (milliseconds since 1970).
 * - `too_many`: the server asks the page to wait until `until_ms`.
 */
export type ConnectionProblem =
  | { readonly type: 'offline' }
  | { readonly type: 'refused'; readonly error: RefusedError }
  | { readonly type: 'too_old'; readonly error: RefusedError }
  | { readonly type: 'draining'; readonly until_ms: number }
  | { readonly type: 'too_many'; readonly until_ms: number }

/** The refusal, if the server would refuse the page again. */
export function refusalBehind(problem: ConnectionProblem | undefined): RefusedError | undefined {
  return problem?.type === 'refused' || problem?.type === 'too_old' ? problem.error : undefined
}

export const OFFLINE: ConnectionProblem = { type: 'offline' }

const WAIT_MS = 3000

/** The problem behind an error that ended an attempt to connect. An error of ours is reported and counts as offline. */
export function toProblem(error: unknown, nowMs: number): ConnectionProblem {
  if (error instanceof RefusedError) return refusedProblem(error, nowMs)
  if (!(error instanceof NoAnswerError)) reportError?.(error)
  return OFFLINE
}

export function drainingFor(afterMs: number, nowMs: number): ConnectionProblem {
  return { type: 'draining', until_ms: nowMs + afterMs }
}

function refusedProblem(error: RefusedError, nowMs: number): ConnectionProblem {
  const { refusal, code } = error
  if (refusal === 'client_old') return { type: 'too_old', error }
  if (refusal === 'draining' || refusal === 'too_many')
    return { type: refusal, until_ms: nowMs + waitMs(error) }
  // An answer without a code is a proxy's page about a server that is not there.
  return refusal === 'unknown' && code === 0 ? OFFLINE : { type: 'refused', error }
}

function waitMs({ additional }: RefusedError): number {
  const seconds = additional.retry_after
  return typeof seconds === 'number' ? seconds * 1000 : WAIT_MS
}
