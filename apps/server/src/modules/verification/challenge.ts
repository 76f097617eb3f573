import { randomInt } from 'node:crypto'
import type { App } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import { newUuid } from '../../lib/ids.ts'
import { setting } from '../settings/index.ts'
import type { StoredChallenge } from './queries.ts'
import { keepChallenge } from './store.ts'

const HANDS = ['left', 'right'] as const
const FINGERS = [1, 2, 3, 4, 5] as const
const PLACES = ['chin', 'cheek', 'forehead', 'shoulder'] as const

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
export function currentChallenge(app: App, user_id: UserId): Promise<StoredChallenge> {
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
