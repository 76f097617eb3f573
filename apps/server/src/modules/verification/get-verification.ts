import type { Answer } from '@duet/protocol'
import { wireTime } from '../../lib/clock.ts'
import type { App } from '../../core/app.ts'
import type { Member } from '../../core/viewer.ts'
import { setting } from '../settings/index.ts'
import { currentChallenge } from './challenge.ts'
import { type Standing, readStanding } from './queries.ts'

const DAY_MS = 86_400_000

/** The state of the own check, with a challenge where documents may be sent. */
export async function getVerification(app: App, viewer: Member): Promise<Answer<'GET kyc'>> {
  const standing = await readStanding(app.db, viewer.id)
  const { state, reason, expires_at } = standing
  const challenge = maySendDocuments(app, standing)
    ? await currentChallenge(app, viewer.id)
    : undefined
  return {
    state,
    provider: app.kyc ? 'sumsub' : 'staff',
    ...(reason !== null && { reason }),
    ...(expires_at && { expires_at: wireTime(expires_at) }),
    ...(challenge && { challenge: { id: challenge.challenge_id, says: challenge.gesture } }),
  }
}

/**
 * Not while a request waits, and not without need: nothing is collected of a user whose verification stays valid for long.
 */
export function maySendDocuments(app: App, { state, verified, checking }: Standing): boolean {
  if (checking || !setting(app, 'kyc_documents')) return false
  if (state !== 'verified') return true
  return verified !== undefined && isRenewable(app, verified.expires_at)
}

function isRenewable(app: App, expires_at: Temporal.Instant | null): boolean {
  if (expires_at === null) return false
  const left = expires_at.epochMilliseconds - app.clock.now().epochMilliseconds
  return left <= setting(app, 'kyc_renewal_days') * DAY_MS
}
