import type { AuditAct } from '@duet/protocol/kernel/audit-acts.ts'
import type { Tx } from '../../core/app.ts'
import type { CommandArguments } from '../../core/module.ts'
import type { Actor } from '../../core/viewer.ts'
import { operatorName } from '../../platform/operator/operator-name.ts'
import { type Facts, hashEntry, type CaseLoad, storable } from './chain.ts'
import { insertEntry, lockHead } from './store.ts'

export interface AuditedAct {
  readonly staff: Actor
  readonly act: AuditAct
  readonly user_id?: number | null
  readonly reason?: string
  readonly facts?: Facts
  /** The words that the user reads because of the act. */
  readonly words?: string
  /** The facts that the act changes. */
  readonly before?: Facts
  readonly after?: Facts
  /** The act decides a case, and counts in the shift of the member of staff; `severe`: about a child, violence or nudity. */
  readonly load?: CaseLoad
}

/**
 * Records an act of staff, or a look at private matter, in the transaction of the act. Entries are chained one after the
 * other: they are written when the work of the transaction is done, so that the next writer waits for its commit only.
 */
export async function writeAudit(tx: Tx, of: AuditedAct): Promise<void> {
  tx.beforeCommit(() => append(tx, of))
}

/** The person at the operator's shell. */
export function shellActor(given: CommandArguments): Actor {
  return { operator: operatorName(given) }
}

async function append(tx: Tx, { staff, act, user_id, reason, facts, load, ...more }: AuditedAct) {
  const last = await lockHead(tx)
  const entry = {
    entry_id: last.entry_id + 1,
    // The database keeps microseconds.
    at: tx.now.round('millisecond'),
    staff_id: 'id' in staff ? staff.id : null,
    operator: 'operator' in staff ? storable(staff.operator) : null,
    act,
    user_id: user_id ?? null,
    reason: storable(reason ?? ''),
    facts: storable(load === undefined ? (facts ?? {}) : { ...facts, load }),
    address: 'id' in staff ? staff.address : null,
    words: storable(more.words ?? null),
    before: storable(more.before ?? null),
    after: storable(more.after ?? null),
    prev_hash: last.hash,
  }
  await insertEntry(tx, { ...entry, hash: hashEntry(entry) })
}
