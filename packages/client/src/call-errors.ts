import type { CallName, RefusalOf } from '@duet/protocol'
import { isRefusalName, refusalOfCode, refusals } from '@duet/protocol/kernel/refusals.ts'
import type { RefusalName } from '@duet/protocol/kernel/refusals.ts'

/** A refusal of the catalogue. `unknown` if the answer names no refusal or this client does not know the refusal. */
export type AnsweredRefusal = RefusalName | 'unknown'

interface RefusedDetails {
  readonly code?: number
  readonly message?: string
  readonly additional?: Readonly<Record<string, unknown>> | undefined
  readonly http_status?: number
}

/**
 * The server refused an action or a call. Callers branch by `refusal`, best with `isRefused`: `isRefused` knows the
 * refusals in the contract of the call. `code` is only for display. If the answer had no refusal code, `code` is 0 and
 * only `http_status` is known.
 */
export class RefusedError<Refusal extends AnsweredRefusal = AnsweredRefusal> extends Error {
  override readonly name = 'RefusedError'
  /** The action or call that was refused. The error dialog chooses its title by this name. */
  readonly call: string
  readonly refusal: Refusal
  readonly code: number
  readonly http_status: number
  readonly additional: Readonly<Record<string, unknown>>

  constructor(call: string, refusal: Refusal, details: RefusedDetails = {}) {
    const entry = refusal === 'unknown' ? undefined : refusals[refusal as RefusalName]
    super(details.message ?? entry?.message ?? 'Unknown refusal')
    this.call = call
    this.refusal = refusal
    this.code = details.code ?? entry?.code ?? 0
    this.additional = details.additional ?? {}
    this.http_status = details.http_status ?? 0
  }
}

/** No answer came: no network, a dead server, or a timeout. Whether the call took effect is unknown. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError'
  readonly call: string

  constructor(call: string) {
    super(`No answer to ${call}`)
    this.call = call
  }
}

/** Whether one of these refusals refused this call. The compiler accepts only refusals of the call's contract. */
export function isRefused<C extends CallName, R extends RefusalOf<C>>(
  error: unknown,
  call: C,
  ...names: readonly R[]
): error is RefusedError<R> {
  return (
    error instanceof RefusedError &&
    error.call === call &&
    (names as readonly AnsweredRefusal[]).includes(error.refusal)
  )
}

/** The login that the call was sent with has ended. Every call may be refused so. */
export function isSessionInvalid(error: unknown): error is RefusedError<'session_invalid'> {
  return error instanceof RefusedError && error.refusal === 'session_invalid'
}

interface ReceivedFailure {
  readonly code: number
  readonly name?: string
  readonly message: string
  readonly additional?: Readonly<Record<string, unknown>>
}

export function isFailure(value: unknown): value is ReceivedFailure {
  return (
    typeof value === 'object' && value !== null && 'code' in value && typeof value.code === 'number'
  )
}

/** A failure of the wire as an error. A server that does not send names yet is understood by the code. */
export function refusedError(
  call: string,
  failure: ReceivedFailure,
  httpStatus?: number,
): RefusedError {
  return new RefusedError(call, refusalIn(failure), {
    ...failure,
    ...(httpStatus !== undefined && { http_status: httpStatus }),
  })
}

function refusalIn({ name, code }: ReceivedFailure): AnsweredRefusal {
  if (name !== undefined) return isRefusalName(name) ? name : 'unknown'
  return refusalOfCode(code) ?? 'unknown'
}
