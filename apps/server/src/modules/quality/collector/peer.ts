import { createHmac, timingSafeEqual } from 'node:crypto'
import type { QualityBody } from '@duet/protocol/contracts/quality.ts'
import { limits } from '@duet/protocol'
import type { App, AppContext } from '../../../core/app.ts'
import { perApp } from '../../../core/app-state.ts'
import type { Db } from '../../../core/db.ts'
import type { RequestContext } from '../../../core/request-context.ts'
import type { UserId } from '../../../core/ids.ts'
import { assert } from '../../../lib/assert.ts'
import { keyFor } from '../../../lib/derived-key.ts'
import { refuse } from '../../../lib/refusal.ts'
import { identities } from '../../../platform/realtime/identity-provider.ts'
import { findSession } from '../queries.ts'
import { addReport, type NewReport, type SideKey } from '../store.ts'
import { readAge } from '../rules/facts.ts'

/** The public key of this installation's collector. It only keeps foreign programs from sending by mistake. */
export function projectKey(app: AppContext): string {
  return createHmac('sha256', keyFor(app.config, 'quality')).digest('hex').slice(0, 32)
}

const RATED_PEERS_MAX = 100_000
const PEER_LIMIT = {
  per_second: limits.quality_calls_a_second,
  burst: limits.quality_calls_burst,
}

const peerLimiter = perApp(
  'quality: rates',
  'how fast each user reports; a new process begins with full buckets',
  (app: App) => app.createRateLimiter(RATED_PEERS_MAX),
)

/** A user who reports about a call. */
export interface Reporter extends SideKey {
  readonly now: Temporal.Instant
  /** When what the body describes happened. */
  readonly at: Temporal.Instant
}

/** The user of the token in the header, before the body is read. Takes a report of the user's rate. */
export async function findReporter(
  app: App,
  headers: NonNullable<RequestContext['headers']>,
): Promise<UserId> {
  if (!isProjectKey(app, headers['public-key']))
    refuse('session_invalid', { error_code: 'invalid_api_key' })
  const token = headers['peer-token']
  if (typeof token !== 'string' || token === '' || token.length > limits.token_characters)
    refuse('session_invalid', { error_code: 'missing_token' })
  const subject = await identities.get(app)?.byOrtcToken(app, token)
  if (!subject) refuse('session_invalid', { error_code: 'invalid_token' })
  const { user_id } = subject
  const nowMs = app.clock.now().epochMilliseconds
  const waitMs = await peerLimiter(app).take(String(user_id), PEER_LIMIT, nowMs)
  if (waitMs > 0) refuse('too_many', { retry_after: Math.ceil(waitMs / 1000) })
  return user_id
}

/**
 * The sender of a report, who must be the user that the body names. Whether the user is a party of the call is checked
 * when the record begins; other reports need the record.
 */
export function requirePeer(
  app: App,
  { sessionId, peerId, delta }: QualityBody,
  { reporter_id: user_id }: RequestContext,
): Reporter {
  assert(user_id !== undefined, 'a report has a sender')
  if (String(peerId) !== String(user_id))
    refuse('not_found', { error_code: 'participant_not_found' })
  const session_id = Number(sessionId)
  if (!Number.isSafeInteger(session_id) || session_id <= 0) refuseSession()
  const now = app.clock.now()
  return { session_id, user_id, now, at: now.subtract({ milliseconds: readAge(delta) }) }
}

function isProjectKey(app: App, given: string | string[] | undefined): boolean {
  const expected = Buffer.from(projectKey(app))
  const found = Buffer.from(typeof given === 'string' ? given : '')
  return found.length === expected.length && timingSafeEqual(found, expected)
}

export function refuseSession(): never {
  return refuse('not_found', { error_code: 'session_not_found' })
}

/** Stores a report, or says why its record does not take it. */
export async function takeReport(db: Db, peer: Reporter, report: NewReport): Promise<void> {
  if (await addReport(db, peer, peer.now, report)) return
  const session = await findSession(db, peer)
  if (!session) return refuseSession()
  if (session.summary !== null) refuse('not_found', { error_code: 'connection_ended' })
  const { connection_id } = report
  if (connection_id !== undefined && !session.connections.includes(connection_id))
    refuse('not_found', { error_code: 'connection_not_found' })
  refuse('too_large', { error_code: 'quota_exceeded' })
}
