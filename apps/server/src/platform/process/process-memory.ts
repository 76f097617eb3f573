import type { Decision, Tagged } from '@duet/state-machine/state-machine.ts'
import type { WakeTimers } from '@duet/state-machine/wake-timers.ts'
import type { App } from '../../core/app.ts'
import { Attempt, isDurable } from './attempt.ts'
import type { EventSource, OwnedProcess, ProcessId, ProcessStamp, ProcessType } from './process.ts'

/** An open process in memory: its stored state, and the attempts whose commit is not known yet. */
export class ProcessEntry<
  Id extends ProcessId,
  State,
  Event extends Tagged,
  Command extends Tagged,
> implements OwnedProcess<Id, State> {
  readonly id: Id
  readonly fence: number
  state: State
  stored: State
  /** The version of the state in memory. `rowVersion` is the version that the last lock read. */
  version: number
  rowVersion: number
  /** Newer than `state` while the row shows a commit whose effects did not run yet. */
  stateOfRow: State | undefined
  /** False while the transaction that opens it runs. */
  isOpen = false
  isInDoubt = false
  /** Dropped: a commit that is applied late must not bring it back. */
  isLost = false
  readonly #attempts = new Map<number, Attempt<Id, State, Event, Command>>()
  #lastVersion: number

  constructor(id: Id, state: State, { fence, version }: Omit<ProcessStamp, 'owner_id'>) {
    this.id = id
    this.fence = fence
    this.state = this.stored = state
    this.version = this.rowVersion = this.#lastVersion = version
  }

  /** A version that was never used with this fence, so that a version in the row identifies one attempt. */
  nextVersion(): number {
    this.#lastVersion = Math.max(this.#lastVersion, this.rowVersion) + 1
    return this.#lastVersion
  }

  add(attempt: Attempt<Id, State, Event, Command>): void {
    this.#attempts.set(attempt.version, attempt)
    this.#lastVersion = Math.max(this.#lastVersion, attempt.version)
  }

  attempt(version: number): Attempt<Id, State, Event, Command> | undefined {
    return this.#attempts.get(version)
  }

  get isUnanswered(): boolean {
    return !this.isOpen || this.#attempts.size > 0
  }

  /** The row, locked, has this version: the attempt of that version was committed. False: no attempt has it. */
  confirm(version: number): boolean {
    const attempt = this.#attempts.get(version)
    if (attempt) attempt.isCommitted = true
    return attempt !== undefined
  }

  /** The same, and every other attempt that nothing confirmed was rolled back. */
  settle(version: number): void {
    this.confirm(version)
    for (const [key, { isCommitted }] of this.#attempts)
      if (!isCommitted) this.#attempts.delete(key)
  }

  /** Takes the attempts up to `last`, oldest first. Attempts that were rolled back are dropped. */
  takeCommitted(last: Attempt<Id, State, Event, Command>): Attempt<Id, State, Event, Command>[] {
    last.isCommitted = true
    const taken: Attempt<Id, State, Event, Command>[] = []
    for (const [version, attempt] of [...this.#attempts].sort(([one], [other]) => one - other)) {
      if (version > last.version) break
      this.#attempts.delete(version)
      if (attempt.isCommitted) taken.push(attempt)
    }
    return taken
  }

  dropAttempts(): void {
    this.#attempts.clear()
  }
}

/** A decision outside a transaction, and its event. */
export interface DecisionAhead<State, Event, Command extends Tagged> extends Decision<
  State,
  Command
> {
  readonly event: Event
  /** It is applied; otherwise it is decided again in a transaction. */
  readonly isLight: boolean
}

/** The open processes of one type that this server process owns. Everything here can be read from the rows. */
export class ProcessMemory<
  Id extends ProcessId,
  State,
  Event extends Tagged,
  Command extends Tagged,
> {
  readonly #app: App
  readonly #type: ProcessType<Id, State, Event, Command>
  readonly #timers: WakeTimers<Id>
  readonly #entries = new Map<Id, ProcessEntry<Id, State, Event, Command>>()
  #unanswered: ReadonlySet<ProcessEntry<Id, State, Event, Command>> = new Set()
  /** No timer is set before the server process listens. */
  areTimersHeld: boolean

  constructor(app: App, type: ProcessType<Id, State, Event, Command>, timers: WakeTimers<Id>) {
    this.#app = app
    this.#type = type
    this.#timers = timers
    this.areTimersHeld = type.ready_event !== undefined
  }

  find(id: Id): ProcessEntry<Id, State, Event, Command> | undefined {
    return this.#entries.get(id)
  }

  entries(): Iterable<ProcessEntry<Id, State, Event, Command>> {
    return this.#entries.values()
  }

  /**
   * Processes whose transaction had an unknown end at this call and at the last call. That is longer than a
   * transaction runs, so the answer was lost or the transaction was rolled back.
   */
  unanswered(): Id[] {
    const now = new Set([...this.#entries.values()].filter((entry) => entry.isUnanswered))
    const both = now.intersection(this.#unanswered)
    this.#unanswered = now
    return [...both].map(({ id }) => id)
  }

  /** Recovery sees the process from now on; all other code only after its commit. */
  opening(id: Id, state: State): ProcessEntry<Id, State, Event, Command> {
    const entry = new ProcessEntry<Id, State, Event, Command>(id, state, { fence: 1, version: 1 })
    this.#entries.set(id, entry)
    return entry
  }

  adopt(
    id: Id,
    state: State,
    stamp: Omit<ProcessStamp, 'owner_id'>,
  ): ProcessEntry<Id, State, Event, Command> {
    const entry = new ProcessEntry<Id, State, Event, Command>(id, state, stamp)
    this.#follow(entry)
    return entry
  }

  /** The row has a version that no attempt explains. */
  replace(entry: ProcessEntry<Id, State, Event, Command>, state: State, version: number): void {
    entry.dropAttempts()
    entry.state = entry.stored = state
    entry.version = entry.rowVersion = version
    entry.stateOfRow = undefined
    this.#follow(entry)
    this.#end(entry)
  }

  /** Applies a commit, and before it the commits whose effects did not run yet. */
  commit(
    entry: ProcessEntry<Id, State, Event, Command>,
    attempt: Attempt<Id, State, Event, Command>,
  ): void {
    for (const one of entry.takeCommitted(attempt)) {
      if (entry.isLost) return
      entry.state = entry.stored = one.state
      entry.version = one.version
      entry.rowVersion = Math.max(entry.rowVersion, one.version)
      if (entry.rowVersion === one.version) entry.stateOfRow = undefined
      this.#follow(entry)
      one.project()
      this.#end(entry)
    }
  }

  /** Decides in memory, and applies the decision if it is light. Undefined where no decision of this process is light. */
  decideAhead(
    id: Id,
    event: EventSource<State, Event>,
  ): DecisionAhead<State, Event, Command> | undefined {
    const entry = this.#entries.get(id)
    if (!this.#type.isLight || typeof event === 'function') return undefined
    if (!entry?.isOpen || entry.isInDoubt) return undefined
    const before = entry.state
    if (this.#type.isOver(before)) return undefined
    const decision = this.#type.decide(this.#app, before, event, this.#app.clock.now())
    const isLight = this.#type.isLight(before, decision)
    if (isLight) this.#applyUnstored(entry, decision)
    return { ...decision, event, isLight }
  }

  /** The same for a recovery: the row leads to the same decision again. False if a part of it must be stored. */
  decideUnstored(entry: ProcessEntry<Id, State, Event, Command>, event: Event): boolean {
    const decision = this.#type.decide(this.#app, entry.state, event, this.#app.clock.now())
    const isStored = decision.commands.some((command) => isDurable(this.#type, command))
    if (isStored || entry.isUnanswered || this.#type.isOver(decision.state)) return false
    this.#applyUnstored(entry, decision)
    return true
  }

  #applyUnstored(
    entry: ProcessEntry<Id, State, Event, Command>,
    { state, commands }: Decision<State, Command>,
  ): void {
    const attempt = new Attempt(this.#app, this.#type, entry, state)
    attempt.executeLight(commands)
    entry.state = attempt.state
    this.#follow(entry)
    attempt.project()
    // Before the server listens no socket is open: a recovery of thousands would read data that no client gets.
    if (!this.areTimersHeld) void attempt.pushRest()
  }

  remove(id: Id): void {
    this.#entries.delete(id)
  }

  /** Another server process owns it, or it was never committed. */
  drop(id: Id): void {
    const entry = this.#entries.get(id)
    if (!entry) return
    this.#entries.delete(id)
    this.#timers.set(id, null)
    if (!entry.isOpen) return
    entry.isLost = true
    this.#type.forget?.(this.#app, entry.state)
  }

  #follow(entry: ProcessEntry<Id, State, Event, Command>): void {
    const { id, state } = entry
    entry.isOpen = true
    this.#entries.set(id, entry)
    this.#type.remember?.(this.#app, state)
    if (!this.areTimersHeld)
      this.#timers.set(id, this.#type.isOver(state) ? null : this.#type.wakeAt(state))
  }

  /** A process that is over leaves memory, after its last commands; so does a shared process without a timer. */
  #end(entry: ProcessEntry<Id, State, Event, Command>): void {
    const { isShared } = this.#type
    const hasTimer = !isShared || this.#type.wakeAt(entry.state) !== null
    if (hasTimer && !this.#type.isOver(entry.state)) return
    this.#entries.delete(entry.id)
    this.#type.forget?.(this.#app, entry.state)
  }
}
