import type { Db } from '../../../core/db.ts'
import type { UserId } from '../../../core/ids.ts'

export interface AgeProof {
  readonly proof_id: string
  readonly session_id: string
  readonly state: 'pending' | 'passed' | 'failed' | 'expired'
  readonly expires_at: Temporal.Instant | null
}

/** The newest proof of a user. */
export async function findLastProof(db: Db, user_id: UserId): Promise<AgeProof | undefined> {
  const row = await db
    .selectFrom('age_proofs')
    .select(['proof_id', 'session_id', 'state', 'expires_at'])
    .where('user_id', '=', user_id)
    .orderBy('started_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && { ...row, state: row.state as AgeProof['state'] }
}

/** Whether a proof of the user counts at this moment. */
export async function hasValidProof(
  db: Db,
  user_id: UserId,
  now: Temporal.Instant,
): Promise<boolean> {
  const row = await db
    .selectFrom('age_proofs')
    .select('proof_id')
    .where('user_id', '=', user_id)
    .where('state', '=', 'passed')
    .where('expires_at', '>', now)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
