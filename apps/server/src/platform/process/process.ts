/**
 * Processes: everything that lives in time (an offer, a call, later an order or a payout) is one kind of thing. A process
 * is a row, a pure `decide(state, event, now)`, the commands that a decision contains, and an instant `wake_at`. A module
 * describes it as a `ProcessType`; `createProcessRuntime` runs it.
 *
 * What the runtime does with an event (`dispatch(id, event)`):
 *
 *   1. It waits until earlier events of this id are done. This server process handles one event of an id at a time.
 *   2. It locks the row and checks that this server process still owns it (`fence`).
 *   3. It decides, executes the `store` part of each command and writes the state once, all in one transaction.
 *   4. After the commit it updates memory (`remember`, then the `project` part of each command), then it sends the
 *      `push` part of each command to sockets.
 *   5. It sets the timer for `wakeAt(state)`. At that time it dispatches `wake_event`.
 *
 * The three parts of a command are three different promises:
 *
 *   store    Durable: money, the change log, rows. Runs inside the transaction; committed or lost together with the state.
 *            It may return an event: the answer to the command, decided at once on the state in the making.
 *   project  Memory of this server process. Synchronous, after the commit, exactly once for each commit that this server
 *            process saw or detected later. It must be derivable from the row: memory can be dropped at any moment.
 *   push     Sockets. After the commit, at most once. Nothing may depend on it.
 *
 * Ownership: the row has `owner_id`, `fence` and `version`. A server process renews one lease for all its rows
 * (`ProcessOwner`). When the server process dies, another server process claims the rows, raises `fence` and dispatches
 * `recovery_event` to each process. If the first server process was only slow, it finds its fence outdated. Then it writes
 * nothing and drops its memory of the process.
 *
 * Shared processes (`isShared`) have no owner that others wait for: an event takes the process over from its owner, whose
 * memory has nothing but a timer. A process without `wake_at` is in the memory of no server process.
 *
 * A commit whose answer was lost: the version in the row shows whether the transaction was committed. If it was committed,
 * the same `project` and `push` parts run as after an ordinary commit. If not, nothing happened.
 *
 * Light decisions: if `isLight(before, decision)` holds, nothing is stored. The state changes in memory, and the module
 * stores the states of many processes later, in one statement (`all()`, `markStored`). The statement must check `fence`.
 * The module calls `compareWithRow` for each process that the statement did not change.
 *
 * Shared commits: decisions of several processes may share a transaction (`shared-commits.ts`), if the first command has
 * a `storeMany` part and the other commands have no durable part. Each process is locked, decided and written as in a
 * transaction of its own. The same effects follow its commit.
 *
 * Events from the transaction of another module: `applyIn(tx, id, event)` decides and stores inside that transaction.
 * It never waits for the queue, only for the row. Types with light decisions must not use it.
 */
import type { RawBuilder } from 'kysely'
import type { Decision, Tagged } from '@duet/state-machine/state-machine.ts'
import type { App, Tx } from '../../core/app.ts'
import type { Db } from '../../core/db.ts'

export type ProcessId = string | number

/** The owner of a row, and the numbers that show whether a write is outdated. */
export interface ProcessStamp {
  readonly owner_id: number | null
  readonly fence: number
  readonly version: number
}

/** How a module reads and writes the rows of its processes. The columns of `ProcessStamp` are part of the table. */
export interface ProcessTable<Id extends ProcessId, State> {
  readonly name: string
  readonly id_column: string
  /** SQL condition: the process is not over. */
  readonly open: RawBuilder<unknown>
  load(db: Db, id: Id): Promise<State | undefined>
  /**
   * Reads many states in one statement. With `loadMany` a start takes as many statements for 10,000 claimed
   * processes as for one process. If the decision on `recovery_event` has no `store` part and does not end
   * the process, only memory changes. The row leads to the same decision again.
   */
  loadMany?(db: Db, ids: readonly Id[]): Promise<State[]>
  /** False: a unique index forbids it and the transaction goes on; an error rolls it back. */
  insert(tx: Tx, state: State, stamp: ProcessStamp): Promise<boolean>
  /** The row is locked and owned; a row with another `fence` must not change. `version` is written with the state. */
  update(tx: Tx, state: State, stamp: Pick<ProcessStamp, 'fence' | 'version'>): Promise<void>
  /** The same for many rows in one statement; all of them are written, or it throws. */
  updateMany?(tx: Tx, written: readonly WrittenState<State>[]): Promise<void>
}

export interface WrittenState<State> extends Pick<ProcessStamp, 'fence' | 'version'> {
  readonly state: State
}

/** A state in the making, inside its transaction. A `store` part may replace it (the ids of a hold, for instance). */
export interface ProcessDraft<State> {
  state: State
  /**
   * Writes the state now. The runtime writes the state once, after all commands. A `store` part calls
   * `write` before it publishes a domain event, because the subscribers may read the row.
   */
  write(tx: Tx): Promise<void>
}

/** The parts of one type of command; a missing part does nothing. */
export interface CommandParts<State, Event extends Tagged, Command extends Tagged> {
  readonly store?: (
    tx: Tx,
    draft: ProcessDraft<State>,
    command: Command,
  ) => Promise<Event | undefined | void>
  /**
   * Instead of `store`, for a command that many processes execute at the same time: one statement for all
   * of them. The answers have the order of the commands. An error is the answer of a process for which
   * nothing was stored.
   */
  readonly storeMany?: (
    tx: Tx,
    items: readonly { readonly draft: ProcessDraft<State>; readonly command: Command }[],
  ) => Promise<(Event | Error)[]>
  readonly project?: (app: App, state: State, command: Command) => void
  readonly push?: (app: App, state: State, command: Command) => Promise<void> | void
}

/** One line for each type of command: a type without a line does not compile. */
export type CommandTable<State, Event extends Tagged, Command extends Tagged> = {
  readonly [Type in Command['type']]: CommandParts<State, Event, Extract<Command, { type: Type }>>
}

export interface ProcessType<
  Id extends ProcessId,
  State,
  Event extends Tagged,
  Command extends Tagged,
> {
  /** For log lines: `offer`, `call`. */
  readonly name: string
  readonly table: ProcessTable<Id, State>
  /**
   * Every server process applies events, also while the owner lives. Only for types whose `store` parts are all that counts:
   * no light decisions, no memory of their own. Their condition `open` demands a `wake_at`.
   */
  readonly isShared?: true
  idOf(state: State): Id
  isOver(state: State): boolean
  /** The instant at which time alone may change the state; null for never. */
  wakeAt(state: State): Temporal.Instant | null
  readonly wake_event: Event
  /**
   * Dispatched to each process that this server process claims: at its start, or after another server
   * process died.
   */
  readonly recovery_event: Event
  /**
   * Dispatched to each process of the start when this server process listens. Until then no timer runs: a
   * deadline must not pass while the users cannot reach the server. Decided as `recovery_event`.
   */
  readonly ready_event?: Event
  /** The pure rules, with the settings of this moment. */
  decide(app: App, state: State, event: Event, now: Temporal.Instant): Decision<State, Command>
  readonly commands: CommandTable<State, Event, Command>
  /** Updates other memory that depends on this process: called after each commit and each light decision. */
  remember?(app: App, state: State): void
  /** Removes this process from other memory: it is over, or another server process owns it. */
  forget?(app: App, state: State): void
  /** In a transaction of a recovery; `state` is the state before it. Not at the start, when nothing depends on it yet. */
  recovered?(tx: Tx, state: State): Promise<void>
  /**
   * Runs after memory followed a commit whose answer was lost. The `project` and `push` parts of its
   * commands have run. This function derives every other effect after the commit from the row: events of
   * the change log, subscribers of domain events. It runs at most once, like a push. An error is logged.
   */
  reconciled?(app: App, state: State): Promise<void>
  isLight?(before: State, decision: Decision<State, Command>): boolean
}

/** An event, or a function that makes it from the locked state inside the transaction (a balance, for instance). */
export type EventSource<State, Event> = Event | ((tx: Tx, state: State) => Promise<Event>)

/**
 * Continues the transaction of an event after the state is written: both happen, or neither. It must not
 * touch the same process.
 */
export type NextStep = (tx: Tx) => Promise<void>

/** An open process in the memory of this server process. */
export interface OwnedProcess<Id, State> {
  readonly id: Id
  readonly state: State
  /** The state in the row; it differs from `state` after light decisions. */
  readonly stored: State
  readonly fence: number
}

export interface ProcessRuntime<
  Id extends ProcessId,
  State,
  Event extends Tagged,
  Command extends Tagged,
> {
  /**
   * Opens a process in its own queue and transaction. `prepare` returns the first decision, or undefined to
   * open no process. False if `prepare` returned undefined or `insert` returned false.
   */
  create(
    id: Id,
    prepare: (tx: Tx) => Promise<Decision<State, Command> | undefined>,
  ): Promise<boolean>
  /** Opens a process inside the transaction of its cause. False: `insert` returned false. */
  openIn(tx: Tx, decision: Decision<State, Command>): Promise<boolean>
  /**
   * Applies an event after all events before it. Returns every decided command, in order. Undefined if
   * there is no such process or another server process owns it. If the process is over, the rules decide
   * and nothing is stored. If a `store` part throws a refusal, everything is rolled back. A part of the
   * same process must never await `dispatch`.
   */
  dispatch(
    id: Id,
    event: EventSource<State, Event>,
    then?: NextStep,
  ): Promise<readonly Command[] | undefined>
  /** The same inside the transaction of the cause. */
  applyIn(tx: Tx, id: Id, event: EventSource<State, Event>): Promise<readonly Command[] | undefined>
  /** The state of an open process that this server process owns. */
  get(id: Id): State | undefined
  all(): Iterable<OwnedProcess<Id, State>>
  /** A batch has stored this state of light decisions. */
  markStored(id: Id, state: State): void
  /** A batch has not changed the row of this process: drops it from memory if another server process owns it. */
  compareWithRow(id: Id): Promise<void>
  /** Claims the processes of dead server processes, then looks for more at intervals. */
  start(): Promise<void>
  /** The server process listens: timers run from now on. Only for types with `ready_event`. */
  ready(): Promise<void>
  /** Whether another server process was alive at the last scan: it may own processes that are unknown here. */
  readonly mayBeElsewhere: boolean
  /** Claims this process if its owner is not alive. True: this server process owns it now. */
  claim(id: Id): Promise<boolean>
  /** Cancels timers and waits for all queued events. */
  stop(): Promise<void>
}
