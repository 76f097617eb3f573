import { type Logger, pino } from 'pino'
import type { Config } from '../config.ts'

/** Fields with these names are not logged, at the top level or one below. */
const SECRET_FIELDS = [
  'password',
  'repeat_password',
  'current_password',
  'token',
  'ortc_token',
  'fs_token',
  'cipher_key',
  'secret',
  'otp',
  'email',
  'authorization',
  '["chat-token"]',
  '["user-access-token"]',
  // The parser of uploads logs what it was given, two levels below.
  'busboyOptions.headers',
]

/** Structured logs on the standard output, one JSON object per line. */
export function createLog(config: Pick<Config, 'log_level'>): Logger {
  const below = SECRET_FIELDS.map((name) => (name.startsWith('[') ? `*${name}` : `*.${name}`))
  return pino({
    level: config.log_level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: [...SECRET_FIELDS, ...below], censor: '[not logged]' },
    // `err` is the name that the code uses; an error under another usual name is reduced in the same way.
    serializers: { err: toError, error: toError, cause: toError },
  })
}

/** The logged part of an error. PostgreSQL's `detail` quotes rows, so it is left out. */
export function toError(error: unknown): object {
  if (!(error instanceof Error)) {
    return {
      message: typeof error === 'object' ? JSON.stringify(error).slice(0, 1000) : String(error),
    }
  }
  const { code } = error as Error & { code?: unknown }
  return {
    name: error.name,
    message: error.message,
    stack: error.stack,
    ...(code === undefined ? {} : { code }),
  }
}
