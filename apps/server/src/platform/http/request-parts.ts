import type { FastifyRequest } from 'fastify'

/** One header of at most `charactersMax` characters; undefined for a longer, empty or repeated header. */
export function findHeader(
  request: FastifyRequest,
  name: string,
  charactersMax: number,
): string | undefined {
  const value = request.headers[name]
  return typeof value === 'string' && value !== '' && value.length <= charactersMax
    ? value
    : undefined
}

/** The query as it arrived, without the question mark. */
export function findQuery({ raw }: FastifyRequest): string {
  const address = raw.url ?? ''
  const at = address.indexOf('?')
  return at < 0 ? '' : address.slice(at + 1)
}
