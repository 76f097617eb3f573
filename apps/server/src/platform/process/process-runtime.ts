import { createSerialQueue } from '@duet/state-machine/serial-queue.ts'
import type { Decision, Tagged } from '@duet/state-machine/state-machine.ts'
import { createWakeTimers } from '@duet/state-machine/wake-timers.ts'
import { plusMs } from '../../lib/clock.ts'
import { isRefusal } from '../../lib/refusal.ts'
import type { App, Tx } from '../../core/app.ts'
import { Attempt, continued } from './attempt.ts'
import { isOwn, lockEntry, ProcessLostError } from './lock-entry.ts'
import { ProcessRecovery } from './process-recovery.ts'
import { lockStamp, type ClaimedProcess } from './process-store.ts'
import { ProcessMemory } from './process-memory.ts'
import { SharedCommits } from './shared-commits.ts'
import type { NextStep, EventSource, ProcessId, ProcessRuntime, ProcessType } from './process.ts'

const RETRY_MS = 1_000

/** Runs the processes of one type for one app; `process.ts` says what it promises. */
export function createProcessRuntime<
  Id extends ProcessId,
  State,
  Event extends Tagged,
  Command extends Tagged,
>(
  app: App,
  type: ProcessType<Id, State, Event, Command>,
): ProcessRuntime<Id, State, Event, Command> {
  return new Runtime(app, type)
}

class Runtime<
  Id extends ProcessId,
  State,
  Event extends Tagged,
  Command extends Tagged,
> implements ProcessRuntime<Id, State, Event, Command> {
  readonly #app: App
  readonly #type: ProcessType<Id, State, Event, Command>
  readonly #memory: ProcessMemory<Id, State, Event, Command>
  readonly #queue = createSerialQueue<Id>()
  readonly #timers
  readonly #shared: SharedCommits<Id, State, Event, Command>
  readonly #recovery
  #isStopped = false

  constructor(app: App, type: ProcessType<Id, State, Event, Command>) {
    this.#app = app
    this.#type = type
    this.#timers = createWakeTimers<Id>(app.clock, (id) => this.#wake(id))
    this.#memory = new ProcessMemory(app, type, this.#timers)
    this.#shared = new SharedCommits(app, type, this.#memory)
    this.#recovery = new ProcessRecovery(app, type, {
      isKnown: (id) => this.#memory.find(id) !== undefined,
      dispatch: (id, event) => this.dispatch(id, event),
      recover: (state, claimed, isStart) => this.#recover(state, claimed, isStart),
      reconcileUnanswered: () => {
        for (const id of this.#memory.unanswered()) this.#reconcileSoon(id)
      },
    })
  }

  create(
    id: Id,
    prepare: (tx: Tx) => Promise<Decision<State, Command> | undefined>,
  ): Promise<boolean> {
    return this.#queue.runExclusive(id, async () => {
      try {
        return await this.#app.transact(async (tx) => {
          const decision = await prepare(tx)
          return decision !== undefined && (await this.openIn(tx, decision))
        })
      } catch (error) {
        // The answer of the commit may have been lost: then the row exists.
        if (!isRefusal(error)) this.#reconcileSoon(id)
        throw error
      }
    })
  }

  async openIn(tx: Tx, decision: Decision<State, Command>): Promise<boolean> {
    const id = this.#type.idOf(decision.state)
    const stamp = { owner_id: this.#app.processOwner.id, fence: 1, version: 1 }
    const entry = this.#memory.opening(id, decision.state)
    const attempt = new Attempt(this.#app, this.#type, entry, decision.state)
    if (!(await this.#type.table.insert(tx, decision.state, stamp))) {
      this.#memory.remove(id)
      return false
    }
    attempt.written = decision.state
    tx.afterCommit(() => this.#memory.commit(entry, attempt))
    await attempt.execute(tx, decision.commands)
    await attempt.write(tx)
    entry.add(attempt)
    return true
  }

  dispatch(id: Id, event: EventSource<State, Event>, then?: NextStep) {
    return this.#queue.runExclusive(id, () => this.#perform(id, event, then))
  }

  async #perform(id: Id, event: EventSource<State, Event>, then?: NextStep) {
    if (this.#memory.find(id)?.isInDoubt) await this.#reconcile(id)
    const ahead = then ? undefined : this.#memory.decideAhead(id, event)
    if (ahead?.isLight) return ahead.commands
    try {
      const shared = ahead && (await this.#shared.store(id, ahead))
      const run = (tx: Tx) => continued(tx, this.applyIn(tx, id, event), then)
      return shared ?? (await this.#app.transact(run))
    } catch (error) {
      if (!isRefusal(error)) this.#doubt(id)
      throw error
    }
  }

  async applyIn(
    tx: Tx,
    id: Id,
    event: EventSource<State, Event>,
  ): Promise<readonly Command[] | undefined> {
    const entry = await this.#lockEntry(tx, id)
    if (entry === undefined) return this.#decideOnOver(tx, id, event)
    const before = entry.stateOfRow ?? entry.state
    const what = typeof event === 'function' ? await event(tx, before) : event
    const { state, commands } = this.#type.decide(this.#app, before, what, tx.now)
    const attempt = new Attempt(this.#app, this.#type, entry, state)
    if (state === before && commands.length === 0) return commands
    attempt.version = entry.nextVersion()
    // The first effect of this event after commit: what is sent afterwards is sent of the new state.
    tx.afterCommit(() => this.#memory.commit(entry, attempt))
    await attempt.execute(tx, commands)
    await attempt.write(tx)
    entry.add(attempt)
    return attempt.commands
  }

  async #lockEntry(tx: Tx, id: Id) {
    try {
      return await lockEntry(tx, this.#type, this.#memory, id)
    } catch (error) {
      if (error instanceof ProcessLostError) this.#memory.drop(id)
      throw error
    }
  }

  async #decideOnOver(
    tx: Tx,
    id: Id,
    event: EventSource<State, Event>,
  ): Promise<readonly Command[] | undefined> {
    const state = await this.#type.table.load(tx, id)
    if (state === undefined || !this.#type.isOver(state)) return undefined
    const what = typeof event === 'function' ? await event(tx, state) : event
    return this.#type.decide(this.#app, state, what, tx.now).commands
  }

  get(id: Id): State | undefined {
    const entry = this.#memory.find(id)
    return entry?.isOpen ? entry.state : undefined
  }

  *all() {
    for (const entry of this.#memory.entries()) if (entry.isOpen) yield entry
  }

  compareWithRow(id: Id): Promise<void> {
    return this.#queue.runExclusive(id, () => this.#reconcile(id))
  }

  markStored(id: Id, state: State): void {
    const entry = this.#memory.find(id)
    if (entry) entry.stored = state
  }

  start(): Promise<void> {
    return this.#recovery.start()
  }

  async ready(): Promise<void> {
    const { ready_event } = this.#type
    if (!this.#memory.areTimersHeld || ready_event === undefined) return
    this.#memory.areTimersHeld = false
    const ids = [...this.#memory.entries()].map((entry) => entry.id)
    await this.#recovery.ready(ids, (id) =>
      this.#queue.runExclusive(id, async () => {
        const entry = this.#memory.find(id)
        if (entry && !this.#memory.decideUnstored(entry, ready_event))
          await this.#perform(id, ready_event)
      }),
    )
  }

  get mayBeElsewhere(): boolean {
    return this.#recovery.mayBeElsewhere
  }

  claim(id: Id): Promise<boolean> {
    return this.#recovery.claim(id)
  }

  /** The state was read after the claim, and no other owner can write since: it is that of the row. */
  #recover(state: State, { id, fence, version }: ClaimedProcess<Id>, isStart: boolean) {
    const { recovered, recovery_event } = this.#type
    return this.#queue.runExclusive(id, async () => {
      // An event may have brought the process into memory while this recovery waited in its queue.
      const entry = this.#memory.find(id) ?? this.#memory.adopt(id, state, { fence, version })
      if (!this.#memory.decideUnstored(entry, recovery_event))
        await this.#perform(id, recovery_event)
      if (!isStart) await this.#app.transact(async (tx) => recovered?.(tx, state))
    })
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#recovery.stop()
    await this.#queue.drain()
    this.#timers.clear()
  }

  #wake(id: Id): void {
    this.dispatch(id, this.#type.wake_event).then(
      () => this.#wakeAgain(id),
      (error: unknown) => {
        this.#report(error, 'could not go on in time', id)
        if (this.get(id)) this.#timers.set(id, plusMs(this.#app.clock.now(), RETRY_MS))
      },
    )
  }

  /** A wake-up that changed nothing has used up the timer. An instant that has passed is retried later. */
  #wakeAgain(id: Id): void {
    const state = this.get(id)
    if (state === undefined || this.#isStopped) return
    const at = this.#type.wakeAt(state)
    const isPast = at !== null && at.epochMilliseconds <= this.#app.clock.now().epochMilliseconds
    this.#timers.set(id, isPast ? plusMs(this.#app.clock.now(), RETRY_MS) : at)
  }

  #doubt(id: Id): void {
    const entry = this.#memory.find(id)
    if (!entry) return
    entry.isInDoubt = true
    this.#reconcileSoon(id)
  }

  #reconcileSoon(id: Id): void {
    this.#later(() => {
      this.#queue
        .runExclusive(id, () => this.#reconcile(id))
        .catch((error: unknown) => {
          this.#report(error, 'could not be reconciled', id)
          this.#reconcileSoon(id)
        })
    })
  }

  /** Compares memory with the row after a commit whose answer was lost. Runs in the queue of the process. */
  async #reconcile(id: Id): Promise<void> {
    const entry = this.#memory.find(id)
    if (!entry) return
    const stamp = await this.#app.transact(async (tx) => {
      const locked = await lockStamp(tx, this.#type.table, id)
      // While the row is locked no transaction of this process is open: what is not in the row was rolled back.
      if (locked) entry.settle(locked.version)
      return locked
    })
    if (!stamp || !isOwn(this.#app, stamp, entry)) return this.#memory.drop(id)
    entry.isInDoubt = false
    const committed = entry.attempt(stamp.version)
    if (committed) {
      this.#memory.commit(entry, committed)
      await committed.pushRest()
      await this.#followUp(id, committed.state)
    } else if (stamp.version !== entry.version || !entry.isOpen) {
      const state = await this.#type.table.load(this.#app.db, id)
      if (state === undefined) return this.#memory.drop(id)
      this.#memory.replace(entry, state, stamp.version)
      await this.#followUp(id, state)
    }
  }

  async #followUp(id: Id, state: State): Promise<void> {
    try {
      await this.#type.reconciled?.(this.#app, state)
    } catch (error) {
      this.#report(error, 'a commit that was found could not be followed up', id)
    }
  }

  #later(run: () => void): void {
    if (this.#isStopped) return
    this.#app.clock.at(plusMs(this.#app.clock.now(), RETRY_MS), () => {
      if (!this.#isStopped) run()
    })
  }

  #report(error: unknown, what: string, id?: Id): void {
    this.#app.log.error({ err: error, process_id: id }, `${this.#type.name}: ${what}`)
  }
}
