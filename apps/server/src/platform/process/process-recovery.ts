import type { Tagged } from '@duet/state-machine/state-machine.ts'
import type { App } from '../../core/app.ts'
import { plusMs } from '../../lib/clock.ts'
import { singleRun } from '../../lib/single-run.ts'
import {
  claimProcesses,
  hasOtherOwner,
  readOpenProcesses,
  type ClaimedProcess,
} from './process-store.ts'
import type { EventSource, ProcessId, ProcessType } from './process.ts'

const RECOVERY_MS = 10_000
const RETRY_MS = 1_000
/** How many processes are recovered together: the pool has other work too. */
const RECOVERY_BATCH_SIZE = 20
/** How many rows one statement reads; a row of a call has about 1.5 KB. */
const READ_BATCH_SIZE = 1000

/** The parts of a runtime that recovery uses. */
interface RecoveringRuntime<Id, State, Event> {
  isKnown(id: Id): boolean
  dispatch(id: Id, event: EventSource<State, Event>): Promise<unknown>
  /** Recovers a claimed process whose state was read just now. */
  recover(state: State, claimed: ClaimedProcess<Id>, isStart: boolean): Promise<void>
  /** Compares memory with the rows of transactions whose end is not known. */
  reconcileUnanswered(): void
}

/**
 * Recovers the processes of one type that dead server processes left: once at the start, then every ten
 * seconds. Also dispatches `recovery_event` to open processes of this owner that memory lacks at two scans
 * in a row. That is longer than a transaction runs, so no event will bring them into memory. Their fence
 * stays, because no other owner had them.
 */
export class ProcessRecovery<
  Id extends ProcessId,
  State,
  Event extends Tagged,
  Command extends Tagged,
> {
  readonly #app: App
  readonly #type: ProcessType<Id, State, Event, Command>
  readonly #runtime: RecoveringRuntime<Id, State, Event>
  #isStopped = false
  #mayBeElsewhere = false
  #unknownBefore: ReadonlySet<Id> = new Set()
  #stopScanning = () => {}

  constructor(
    app: App,
    type: ProcessType<Id, State, Event, Command>,
    runtime: RecoveringRuntime<Id, State, Event>,
  ) {
    this.#app = app
    this.#type = type
    this.#runtime = runtime
  }

  get mayBeElsewhere(): boolean {
    return this.#mayBeElsewhere
  }

  async start(): Promise<void> {
    await this.#scan(true)
    const scan = singleRun(() => this.#scan(false))
    this.#stopScanning = this.#app.clock.every(RECOVERY_MS, () =>
      this.#app.background(`looking for lost processes: ${this.#type.name}`, scan()),
    )
  }

  stop(): void {
    this.#isStopped = true
    this.#stopScanning()
  }

  async claim(id: Id): Promise<boolean> {
    const claimed = await this.#claimDead(false, id)
    await this.#recoverClaimed(claimed, false)
    return claimed.length > 0
  }

  /** Never rejects: a process that fails does not stop the others, and is tried again. */
  async ready(ids: readonly Id[], makeReady: (id: Id) => Promise<void>): Promise<void> {
    const attempt = async (id: Id): Promise<void> => {
      try {
        await makeReady(id)
      } catch (error) {
        this.#later(id, error, 'could not go on after the start', () => void attempt(id))
      }
    }
    await Promise.all(ids.map(attempt))
  }

  async #scan(isStart: boolean): Promise<void> {
    const { db, processOwner, clock, log } = this.#app
    const { name, table } = this.#type
    this.#runtime.reconcileUnanswered()
    const owner_id = processOwner.id
    this.#mayBeElsewhere = await hasOtherOwner(db, { owner_id, now: clock.now() })
    const claimed = await this.#claimDead(isStart)
    if (claimed.length > 0)
      log.info({ processes: claimed.length }, `open processes claimed: ${name}`)
    await this.#recoverClaimed(claimed, isStart)
    const open = await readOpenProcesses<Id>(db, table, owner_id)
    // Memory is read after the rows: an opening registers its process before it inserts the row.
    const unknown = new Set(open.filter((id) => !this.#runtime.isKnown(id)))
    await inBatches([...unknown.intersection(this.#unknownBefore)], (id) => this.#recover(id))
    this.#unknownBefore = unknown
  }

  #claimDead(isStart: boolean, only?: Id): Promise<ClaimedProcess<Id>[]> {
    const { db, processOwner, clock } = this.#app
    const by = { owner_id: processOwner.id, now: clock.now(), is_start: isStart, only }
    return claimProcesses<Id>(db, this.#type.table, by)
  }

  async #recoverClaimed(claimed: readonly ClaimedProcess<Id>[], isStart: boolean): Promise<void> {
    const { table } = this.#type
    if (!table.loadMany) return inBatches(claimed, ({ id }) => this.#recover(id))
    for (let at = 0; at < claimed.length; at += READ_BATCH_SIZE) {
      const chunk = claimed.slice(at, at + READ_BATCH_SIZE)
      const byId = new Map(chunk.map((one) => [one.id, one]))
      const states = await table.loadMany(this.#app.db, [...byId.keys()])
      await inBatches(states, (state) =>
        this.#recoverRead(state, byId.get(this.#type.idOf(state))!, isStart),
      )
    }
  }

  async #recoverRead(state: State, claimed: ClaimedProcess<Id>, isStart: boolean): Promise<void> {
    try {
      await this.#runtime.recover(state, claimed, isStart)
    } catch (error) {
      this.#recoverLater(claimed.id, error)
    }
  }

  async #recover(id: Id): Promise<void> {
    const { recovered, recovery_event } = this.#type
    try {
      await this.#runtime.dispatch(id, async (tx, state) => {
        await recovered?.(tx, state)
        return recovery_event
      })
    } catch (error) {
      this.#recoverLater(id, error)
    }
  }

  #recoverLater(id: Id, error: unknown): void {
    this.#later(id, error, 'could not be recovered', () => void this.#recover(id))
  }

  #later(id: Id, error: unknown, what: string, run: () => void): void {
    const { clock, log } = this.#app
    log.error({ err: error, process_id: id }, `${this.#type.name}: ${what}`)
    if (this.#isStopped) return
    clock.at(plusMs(clock.now(), RETRY_MS), () => {
      if (!this.#isStopped) run()
    })
  }
}

async function inBatches<T>(all: readonly T[], run: (one: T) => Promise<void>): Promise<void> {
  for (let at = 0; at < all.length; at += RECOVERY_BATCH_SIZE)
    await Promise.all(all.slice(at, at + RECOVERY_BATCH_SIZE).map(run))
}
