import { RefusedError } from '@duet/client'

const RETRY_MS = 2000
const RETRY_MAX_MS = 15_000

const PASSING: ReadonlySet<string> = new Set(['draining', 'unavailable', 'session_invalid'])
/** A proxy found no server behind it. */
const PASSING_STATUSES: ReadonlySet<number> = new Set([502, 503, 504])

/** The server could not decide: the same message or file is sent again. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof RefusedError)) return false
  return PASSING.has(error.refusal) || PASSING_STATUSES.has(error.http_status)
}

/** The first repetition follows after 2 seconds. The pause doubles up to 15 seconds. */
export function pauseBefore(repetition: number): Promise<void> {
  const pauseMs = Math.min(RETRY_MAX_MS, RETRY_MS * 2 ** (repetition - 1))
  return new Promise((resolve) => setTimeout(resolve, pauseMs))
}
