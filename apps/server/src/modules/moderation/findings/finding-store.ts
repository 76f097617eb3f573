import type { FindingKind } from '@duet/protocol'
import type { Tx } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'

export interface NewFinding {
  readonly user_id: UserId
  readonly kind: FindingKind
  readonly other_id?: UserId
  readonly session_id?: number
  readonly order_id?: number
  /** Of the fact: a finding with this key is there once. */
  readonly key: string
}

/** Adds what is not known yet. */
export async function addFindings(tx: Tx, findings: readonly NewFinding[]): Promise<void> {
  if (findings.length === 0) return
  await tx
    .insertInto('findings')
    .values(findings.map((finding) => ({ ...finding, at: tx.now })))
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute()
}

/**
 * The findings with these keys are about this picture. Of several pictures with a finding the latest counts, and a decision keeps
 * the one that it was about.
 */
export async function setPicture(tx: Tx, keys: readonly string[], media_id: string): Promise<void> {
  if (keys.length === 0) return
  await tx
    .updateTable('findings')
    .set({ media_id })
    .where('key', 'in', keys)
    .where('decided_at', 'is', null)
    .execute()
}

interface FindingDecision {
  readonly user_id: UserId
  readonly until_finding: number
  readonly decision: string
  readonly by: string
}

export interface ClosedFinding {
  readonly finding_id: number
  readonly kind: string
  readonly other_id: UserId | null
  readonly session_id: number | null
}

/** Decides the findings that wait, up to this one. Returns them, the newest first. */
export async function closeFindings(
  tx: Tx,
  { user_id, until_finding, decision, by }: FindingDecision,
): Promise<ClosedFinding[]> {
  const rows = await tx
    .updateTable('findings')
    .set({ decided_at: tx.now, decided_by: by, decision })
    .where('user_id', '=', user_id)
    .where('finding_id', '<=', until_finding)
    .where('decided_at', 'is', null)
    .returning(['finding_id', 'kind', 'other_id', 'session_id'])
    .execute()
  return rows.toSorted((one, other) => other.finding_id - one.finding_id)
}

/** These findings led to this statement. */
export async function setStatement(
  tx: Tx,
  ids: readonly number[],
  statement_id: number,
): Promise<void> {
  await tx.updateTable('findings').set({ statement_id }).where('finding_id', 'in', ids).execute()
}
