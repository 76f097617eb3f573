import type { Db } from '../../../core/db.ts'
import type { UserId } from '../../../core/ids.ts'

/** Each is asked of the provider. */
const OPEN_PROOFS_MAX = 5

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

/** The proofs that may still pass, the newest first. A user may pass the older of two sessions. */
export async function findOpenProofs(
  db: Db,
  user_id: UserId,
  since: Temporal.Instant,
): Promise<AgeProof[]> {
  const rows = await db
    .selectFrom('age_proofs')
    .select(['proof_id', 'session_id', 'state', 'expires_at'])
    .where('user_id', '=', user_id)
    .where('state', 'in', ['pending', 'failed'])
    .where('started_at', '>', since)
    .orderBy('started_at', 'desc')
    .limit(OPEN_PROOFS_MAX)
    .execute()
  return rows.map((row) => ({ ...row, state: row.state as AgeProof['state'] }))
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
