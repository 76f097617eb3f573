/** The server said no, by a code of the catalogue. `code` 0: an answer without a code (its HTTP status is all we know). */
export class Refused extends Error {
  readonly code: number
  readonly http_status: number
  readonly additional: Readonly<Record<string, unknown>>
  /** Which action or call was refused: the error dialog picks its title by it. */
  readonly call: string

  constructor(
    call: string,
    code: number,
    message: string,
    additional: Record<string, unknown> = {},
    http_status = 0,
  ) {
    super(message)
    this.name = 'Refused'
    this.call = call
    this.code = code
    this.additional = additional
    this.http_status = http_status
  }
}

/** Nobody answered: no network, a dead server, or a time-out. Whether the call took effect is unknown. */
export class Unanswered extends Error {
  readonly call: string

  constructor(call: string) {
    super(`No answer to ${call}`)
    this.name = 'Unanswered'
    this.call = call
  }
}

interface Failure {
  code: number
  message: string
  additional?: Record<string, unknown>
}

export function isFailure(value: unknown): value is Failure {
  return (
    typeof value === 'object' && value !== null && 'code' in value && typeof value.code === 'number'
  )
}
