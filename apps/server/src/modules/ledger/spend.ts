import type { App } from '../../core/app.ts'
import { type GroupCommit, groupCommit, Overloaded } from '../../platform/database/group-commit.ts'
import { perApp } from '../../core/app-state.ts'
import { refuse } from '../../lib/refusal.ts'
import { applied, type LedgerOutcome } from './outcomes.ts'
import type { Group, Movement } from './steps.ts'
import { applyGroups } from './store.ts'

const FLUSH_GROUPS_MAX = 500
const QUEUED_GROUPS_MAX = 20_000
const CONFLICTS_MAX = 5
/** Deadlock and serialization failure: the statement was rolled back and can be repeated. */
const CONFLICT_CODES = new Set(['40P01', '40001'])

/** The queue in which the movements of all users of this server process share commits. */
export const spending = perApp<GroupCommit<Group, LedgerOutcome>>(
  'ledger: group commit',
  'postings that wait for the next transaction; their callers get an error',
  (app) =>
    groupCommit({
      max_batch: FLUSH_GROUPS_MAX,
      max_queue: QUEUED_GROUPS_MAX,
      flush: (groups) => flush(app, groups),
    }),
)

/** Repeats a statement that the database rolled back because another transaction had locked rows in another order. */
async function flush(app: App, groups: Group[]): Promise<LedgerOutcome[]> {
  for (let conflicts = 0; ; conflicts++) {
    try {
      return await applyGroups(app.db, groups, app.clock.now())
    } catch (error) {
      if (
        !CONFLICT_CODES.has((error as { code?: string }).code ?? '') ||
        conflicts >= CONFLICTS_MAX
      )
        throw error
    }
  }
}

/**
 * The hot path, outside any transaction: applies linked movements durably; movements of other users share the commit.
 * @throws Refusal no_balance (`missing`), key_reused, too_many (the queue is full)
 */
export async function spend(
  app: App,
  movements: Movement | readonly Movement[],
): Promise<'applied' | 'repeated'> {
  const linked = Array.isArray(movements)
    ? (movements as readonly Movement[])
    : [movements as Movement]
  try {
    return applied(await spending(app).submit(linked.map((move) => ({ move })))).outcome
  } catch (error) {
    if (error instanceof Overloaded) refuse('too_many')
    throw error
  }
}
