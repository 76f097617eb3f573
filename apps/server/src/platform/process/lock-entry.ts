import type { Tagged } from '@duet/state-machine/state-machine.ts'
import type { App, Tx } from '../../core/app.ts'
import type { ProcessEntry, ProcessMemory } from './process-memory.ts'
import { lockStamp, takeOver } from './process-store.ts'
import type { ProcessId, ProcessStamp, ProcessType } from './process.ts'

/** Another server process owns this process now; the transaction is rolled back. */
export class ProcessLostError extends Error {
  override readonly name = 'ProcessLostError'
}

export function isOwn(app: App, stamp: ProcessStamp, { fence }: { fence: number }): boolean {
  return stamp.fence === fence && stamp.owner_id === app.processOwner.id
}

/**
 * Locks the row and makes sure that the entry's state equals the row. Undefined if this server process owns
 * no such open process, and for a shared type if there is no such open process.
 *
 * @throws ProcessLostError when memory has the process and the row has another owner
 */
export async function lockEntry<
  Id extends ProcessId,
  State,
  Event extends Tagged,
  Command extends Tagged,
>(
  tx: Tx,
  type: ProcessType<Id, State, Event, Command>,
  memory: ProcessMemory<Id, State, Event, Command>,
  id: Id,
): Promise<ProcessEntry<Id, State, Event, Command> | undefined> {
  const { table } = type
  const stamp = await lockStamp(tx, table, id)
  const known = memory.find(id)
  if (known === undefined) return stamp && adoptEntry(tx, type, memory, id, stamp)
  // The transaction that opens it was rolled back, or its answer is not here yet.
  if (!stamp && !known.isOpen) return undefined
  if (type.isShared && stamp && !isOwn(tx.app, stamp, known)) {
    memory.drop(id)
    return adoptEntry(tx, type, memory, id, stamp)
  }
  if (!stamp || !isOwn(tx.app, stamp, known))
    throw new ProcessLostError(`${type.name} ${id} belongs to another server process`)
  const isExplained = known.confirm(stamp.version)
  if (stamp.version !== known.rowVersion) {
    known.rowVersion = stamp.version
    known.stateOfRow = isExplained ? known.attempt(stamp.version)?.state : await table.load(tx, id)
  }
  return type.isOver(known.stateOfRow ?? known.state) ? undefined : known
}

/** Memory was dropped, the process is over, or a shared process has another owner: the row shows which. */
async function adoptEntry<
  Id extends ProcessId,
  State,
  Event extends Tagged,
  Command extends Tagged,
>(
  tx: Tx,
  type: ProcessType<Id, State, Event, Command>,
  memory: ProcessMemory<Id, State, Event, Command>,
  id: Id,
  stamp: ProcessStamp,
): Promise<ProcessEntry<Id, State, Event, Command> | undefined> {
  const isForeign = stamp.owner_id !== tx.app.processOwner.id
  if (isForeign && !type.isShared) return undefined
  const state = await type.table.load(tx, id)
  if (state === undefined || type.isOver(state)) return undefined
  return memory.adopt(id, state, isForeign ? await takeOver(tx, type.table, id) : stamp)
}
