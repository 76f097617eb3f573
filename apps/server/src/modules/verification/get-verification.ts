import { randomInt } from 'node:crypto'
import type { Answer } from '@duet/protocol'
import { wireTime } from '../../lib/clock.ts'
import { newUuid } from '../../lib/ids.ts'
import type { App } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { Member } from '../../core/viewer.ts'
import { setting } from '../settings/index.ts'
import { type Standing, readStanding, type StoredChallenge } from './queries.ts'
import { keepChallenge } from './store.ts'

const DAY_MS = 86_400_000
const HANDS = ['left', 'right'] as const
const FINGERS = [1, 2, 3, 4, 5] as const
const PLACES = ['chin', 'cheek', 'forehead', 'shoulder'] as const

/** The state of the own check, with a challenge where documents may be sent. */
export async function getVerification(app: App, viewer: Member): Promise<Answer<'GET kyc'>> {
  const standing = await readStanding(app.db, viewer.id)
  const { state, reason, expires_at, ended } = standing
  const challenge = maySendDocuments(app, standing)
    ? await currentChallenge(app, viewer.id)
    : undefined
  return {
    state,
    provider: app.kyc ? 'sumsub' : 'staff',
    ...(reason !== null && { reason }),
    ...(ended?.asked_again && { asked_again: true }),
    ...(ended?.comment && { comment: ended.comment }),
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

/**
 * `left 3 chin`: the client has the sentence. With 40 gestures a picture from elsewhere rarely shows the
 * right gesture.
 */
function randomGesture(): string {
  const pick = <T>(list: readonly T[]) => list[randomInt(list.length)]!
  return `${pick(HANDS)} ${pick(FINGERS)} ${pick(PLACES)}`
}

/**
 * The user's challenge. While at least half of its time is left, a second tab gets the same challenge. The
 * upload uses it up.
 */
function currentChallenge(app: App, user_id: UserId): Promise<StoredChallenge> {
  const minutes = setting(app, 'kyc_challenge_minutes')
  return app.transact((tx) =>
    keepChallenge(
      tx,
      user_id,
      {
        challenge_id: newUuid(),
        gesture: randomGesture(),
        expires_at: tx.now.add({ minutes }),
      },
      tx.now.add({ seconds: minutes * 30 }),
    ),
  )
}
