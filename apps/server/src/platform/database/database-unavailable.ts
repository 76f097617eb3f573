const UNAVAILABLE_CODES: ReadonlySet<string> = new Set([
  '57P01',
  '57P02',
  '57P03',
  '08006',
  '53100',
  '53300',
  // The connection broke under a statement, before PostgreSQL could say why.
  'ECONNRESET',
  'EPIPE',
])
const UNAVAILABLE_MESSAGES = [
  'timeout exceeded when trying to connect',
  'Connection terminated',
  'is not queryable',
]

/** PostgreSQL cannot be reached or its disk is full (53100) at the moment. The request itself is valid, so it may be repeated. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, syscall } = error as Error & { code?: string; syscall?: string }
  return (
    syscall === 'connect' ||
    (code !== undefined && UNAVAILABLE_CODES.has(code)) ||
    UNAVAILABLE_MESSAGES.some((text) => error.message.includes(text))
  )
}
