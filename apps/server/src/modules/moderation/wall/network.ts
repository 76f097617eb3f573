import type { WallNetwork } from '@duet/protocol'
import { createPort } from '../../../core/port.ts'
import type { Db } from '../../../core/db.ts'

/** One side of a call. */
export interface CallSide {
  readonly session_id: number
  readonly user_id: number
}

/** How the networks of running calls are. */
export interface NetworkSource {
  /** The last recent report of each side of these calls. */
  readonly latest: (
    db: Db,
    sessionIds: readonly number[],
    now: Temporal.Instant,
  ) => Promise<readonly (CallSide & Omit<WallNetwork, 'weak'>)[]>
  /** The picture that a side sent, in kbit/s, the oldest first. */
  readonly bitrates: (db: Db, side: CallSide) => Promise<readonly number[]>
}

export const networkSource = createPort<NetworkSource>('the networks of running calls', {
  latest: async () => [],
  bitrates: async () => [],
})
