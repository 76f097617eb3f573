import type { App } from '../../core/app.ts'
import { type GroupCommit, groupCommit, Overloaded } from '../../platform/database/group-commit.ts'
import { perApp } from '../../core/module.ts'
import { refuse } from '../../lib/refusal.ts'
import { applyGroups, type Outcome, settled } from './ledger.ts'
import type { Group, Movement } from './steps.ts'

const groups_in_flush_max = 500
const groups_waiting_max = 20_000
const conflicts_max = 5
/** Deadlock, serialization failure: nothing of the statement stays. */
const conflict_codes = new Set(['40P01', '40001'])

/** The queue in which everybody's movements of this process share commits. */
export const spending = perApp<GroupCommit<Group, Outcome>>(
  'ledger: group commit',
  'postings that wait for the next transaction; their callers get an error',
  (app) =>
    groupCommit({
      max_batch: groups_in_flush_max,
      max_queue: groups_waiting_max,
      flush: (groups) => flush(app, groups),
    }),
)

/** A command that locked in another order than ours may have been in the way: the database then asks one of the two to try again. */
async function flush(app: App, groups: Group[]): Promise<Outcome[]> {
  for (let conflicts = 0; ; conflicts++) {
    try {
      return await applyGroups(app.db, groups, app.clock.now())
    } catch (error) {
      if (
        !conflict_codes.has((error as { code?: string }).code ?? '') ||
        conflicts >= conflicts_max
      )
        throw error
    }
  }
}

/**
 * The hot path, outside any transaction: moves linked movements durably, sharing one commit with whoever else spends now.
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
    return settled(await spending(app).submit(linked.map((move) => ({ move })))).outcome
  } catch (error) {
    if (error instanceof Overloaded) refuse('too_many')
    throw error
  }
}
