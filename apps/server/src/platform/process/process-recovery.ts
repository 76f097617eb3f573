import type { Tagged } from '@duet/state-machine/state-machine.ts'
import type { App } from '../../core/app.ts'
import { plusMs } from '../../lib/clock.ts'
import { claimProcesses, openProcessesOf } from './process-store.ts'
import type { EventSource, ProcessId, ProcessType } from './process.ts'

const RECOVERY_MS = 10_000
const RETRY_MS = 1_000
/** How many processes are recovered together: the pool has other work too. */
const RECOVERY_BATCH_SIZE = 20

/** The parts of a runtime that recovery uses. */
interface RecoveringRuntime<Id, State, Event> {
  isKnown(id: Id): boolean
  dispatch(id: Id, event: EventSource<State, Event>): Promise<unknown>
  /** Compares memory with the rows of transactions whose end is not known. */
  reconcileUnanswered(): void
}

/**
 * Dispatches `recovery_event` to the processes that dead server processes left: once now, then every ten seconds. Also to
 * open processes of this owner that memory does not know at two scans in a row: longer than a transaction runs, so no
 * event will bring them into memory. Their fence stays, because no other owner had them.
 *
 * Returns how to stop.
 */
export async function startRecovery<
  Id extends ProcessId,
  State,
  Event extends Tagged,
  Command extends Tagged,
>(
  app: App,
  type: ProcessType<Id, State, Event, Command>,
  runtime: RecoveringRuntime<Id, State, Event>,
): Promise<() => void> {
  let isStopped = false
  let unknownBefore: ReadonlySet<Id> = new Set()

  async function scan(isStart: boolean): Promise<void> {
    runtime.reconcileUnanswered()
    const owner_id = app.processOwner.id
    const now = app.clock.now()
    const claimed = await claimProcesses<Id>(app.db, type.table, {
      owner_id,
      now,
      is_start: isStart,
    })
    if (claimed.length > 0)
      app.log.info({ processes: claimed.length }, `open processes claimed: ${type.name}`)
    const open = await openProcessesOf<Id>(app.db, type.table, owner_id)
    // Memory is read after the rows: an opening registers its process before it inserts the row.
    const unknown = new Set(open.filter((id) => !runtime.isKnown(id)))
    const ids = new Set([...claimed, ...unknown.intersection(unknownBefore)])
    unknownBefore = unknown
    await recoverAll([...ids])
  }

  async function recoverAll(ids: readonly Id[]): Promise<void> {
    for (let at = 0; at < ids.length; at += RECOVERY_BATCH_SIZE)
      await Promise.all(ids.slice(at, at + RECOVERY_BATCH_SIZE).map(recover))
  }

  async function recover(id: Id): Promise<void> {
    try {
      await runtime.dispatch(id, async (tx, state) => {
        await type.recovered?.(tx, state)
        return type.recovery_event
      })
    } catch (error) {
      app.log.error({ err: error, process_id: id }, `${type.name}: could not be recovered`)
      if (isStopped) return
      app.clock.at(plusMs(app.clock.now(), RETRY_MS), () => {
        if (!isStopped) void recover(id)
      })
    }
  }

  await scan(true)
  const stopScanning = app.clock.every(RECOVERY_MS, () =>
    app.background(`looking for lost processes: ${type.name}`, scan(false)),
  )
  return () => {
    isStopped = true
    stopScanning()
  }
}
