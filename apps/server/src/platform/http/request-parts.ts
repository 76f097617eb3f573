import type { Endpoint } from '@duet/protocol/kernel/contract.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'

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
function findQuery({ raw }: FastifyRequest): string {
  const address = raw.url ?? ''
  const at = address.indexOf('?')
  return at < 0 ? '' : address.slice(at + 1)
}

/** The origin of the page that sent the request, if it is an origin of the product. */
export function findOrigin(
  { headers }: FastifyRequest,
  origins: readonly string[],
): string | undefined {
  return origins.find((origin) => origin === headers.origin)
}

/** The parts as they arrived, of requests whose sender signs them or has a credential of another kind. */
export function rawParts(
  { takes, credential }: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  return {
    headers: takes === 'raw' || credential ? request.headers : undefined,
    ...(credential === 'provider' && { raw_query: findQuery(request) }),
    ...(credential === 'staff' && {
      setCookie: (cookie: string) => void reply.header('Set-Cookie', cookie),
    }),
  }
}
