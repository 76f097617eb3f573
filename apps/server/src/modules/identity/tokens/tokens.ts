import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { limits } from '@duet/protocol'
import { keyFor } from '../../../lib/derived-key.ts'
import type { AppContext } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'

/**
 * There are three kinds of tokens. A guest's token is signed and stateless. A login's token is opaque and
 * stored hashed. The call token (ortc) and the storage token (fs) are derived from a login's generation. So
 * rotating the login invalidates all its tokens at once.
 */
type Derived = 'ortc' | 'fs'

function sign(app: AppContext, text: string): string {
  return createHmac('sha256', keyFor(app.config, 'tokens')).update(text).digest('base64url')
}

function signed(app: AppContext, text: string): string {
  return `${text}.${sign(app, text)}`
}

/** The text of a signed token; undefined if the signature is wrong. */
function opened(app: AppContext, token: string): string | undefined {
  const at = token.lastIndexOf('.')
  const given = Buffer.from(token.slice(at + 1))
  const expected = Buffer.from(sign(app, token.slice(0, at)))
  return given.length === expected.length && timingSafeEqual(given, expected)
    ? token.slice(0, at)
    : undefined
}

const GUEST_ID_MIN = 2 ** 52

/** A guest's id, from 2^52 to 2^53 - 1: it is drawn without the database and is not guessable. */
export function randomGuestId(): UserId {
  return GUEST_ID_MIN + Number(randomBytes(8).readBigUInt64BE() % BigInt(GUEST_ID_MIN))
}

export function guestToken(app: AppContext, id: UserId): string {
  return signed(app, `g.${id}.${guestUntil(app)}`)
}

function guestUntil(app: AppContext): number {
  return Math.floor(app.clock.now().add({ hours: limits.guest_hours }).epochMilliseconds / 1000)
}

/** The guest's id; undefined if the token is not a guest's, not valid or expired. */
export function findGuest(app: AppContext, token: string): UserId | undefined {
  const match = /^g\.(\d{1,16})\.(\d{1,12})$/.exec(
    token.startsWith('g.') ? (opened(app, token) ?? '') : '',
  )
  if (!match || Number(match[2]) * 1000 <= app.clock.now().epochMilliseconds) return undefined
  return Number(match[1])
}

export interface LoginKey {
  readonly user_id: UserId
  /** Null for a guest, who has no login. */
  readonly login_id: number | null
  /** Grows with each rotation; for a guest, the Unix time in seconds at which the tokens expire. */
  readonly generation: number
}

export function guestKey(app: AppContext, user_id: UserId): LoginKey {
  return { user_id, login_id: null, generation: guestUntil(app) }
}

export function derivedToken(app: AppContext, kind: Derived, key: LoginKey): string {
  return signed(app, `${kind}.${key.user_id}.${key.login_id ?? 0}.${key.generation}`)
}

/** The content of a derived token; whether its generation is still valid, the database decides. */
export function readDerived(app: AppContext, kind: Derived, token: string): LoginKey | undefined {
  const match = /^(\w+)\.(\d{1,16})\.(\d{1,16})\.(\d{1,10})$/.exec(
    token.startsWith(`${kind}.`) ? (opened(app, token) ?? '') : '',
  )
  if (!match) return undefined
  return {
    user_id: Number(match[2]),
    login_id: Number(match[3]) || null,
    generation: Number(match[4]),
  }
}
