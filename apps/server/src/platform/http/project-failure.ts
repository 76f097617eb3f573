import type { FastifyReply } from 'fastify'
import { refusals, type RefusalName } from '@duet/protocol/kernel/refusals.ts'
import type { DispatchFailure } from '../dispatch/dispatcher.ts'

/** The words of outside services of quality monitoring. */
const ERROR_CODES: Partial<Record<RefusalName, string>> = {
  session_invalid: 'invalid_token',
  not_found: 'session_not_found',
  invalid: 'invalid_parameters',
  too_large: 'request_too_large',
  too_many: 'too_many_requests',
  internal: 'unknown_error',
}
const BAD_REQUEST = 400

/** A refusal in the form `{ error_code, message }`. There, an unknown session is a bad request. */
export function sendProjectFailure(
  reply: FastifyReply,
  { refusal, http, failure: { message, additional } }: DispatchFailure,
): FastifyReply {
  const { error_code = ERROR_CODES[refusal] ?? refusal, retry_after } = additional
  if (typeof retry_after === 'number') reply.header('Retry-After', retry_after)
  return reply
    .status(http === refusals.not_found.http ? BAD_REQUEST : http)
    .header('Cache-Control', 'no-store')
    .send({ error_code, message })
}
