import type { Tx } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import type { AgeResult } from '../../../integrations/age/age.ts'

export interface NewProof {
  readonly proof_id: string
  readonly user_id: UserId
  readonly provider: string
  readonly session_id: string
  readonly country: string
  readonly rule_version: string
  readonly threshold: number
}

export async function addProof(tx: Tx, proof: NewProof): Promise<void> {
  await tx
    .insertInto('age_proofs')
    .values({ ...proof, state: 'pending', started_at: tx.now })
    .execute()
}

/** Stores a result. A proof that has passed stays passed: one session may report a failed attempt after it. */
export async function decideProof(
  tx: Tx,
  proof_id: string,
  { state, method, evidence_ref }: AgeResult,
  expires_at: Temporal.Instant | null,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('age_proofs')
    .set({ state, method, evidence_ref, decided_at: tx.now, expires_at })
    .where('proof_id', '=', proof_id)
    .where('state', 'in', ['pending', 'failed'])
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
