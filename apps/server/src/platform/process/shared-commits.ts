import type { Decision, Tagged } from '@duet/state-machine/state-machine.ts'
import type { App, Tx } from '../../core/app.ts'
import { groupCommit, groupPerTick } from '../database/group-commit.ts'
import { Attempt, isDurable, getParts } from './attempt.ts'
import { isOwn } from './lock-entry.ts'
import type { DecisionAhead, ProcessEntry, ProcessMemory } from './process-memory.ts'
import { lockFreeStamps } from './process-store.ts'
import type { ProcessId, ProcessStamp, ProcessType } from './process.ts'

/** The minimum time between two shared commits. Events that arrive within this time share the next commit. */
const SHARED_EVERY_MS = 50
/** A transaction locks its rows until it ends, and the round of all processes waits for them. */
const SHARED_MAX = 250

interface SharedEvent<Id, Event> {
  readonly id: Id
  readonly event: Event
}

/** The commands of an event that a shared transaction has stored; undefined: it needs a transaction of its own. */
type SharedResult<Command> = readonly Command[] | undefined

/**
 * One transaction for the events of many processes. Each caller is in the queue of its own process. So
 * nothing else changes these processes in memory, and no process is in a transaction twice.
 *
 * A process gets a transaction of its own in two cases: its memory differs from its row, or its decision
 * has changed. Memory and row differ if another transaction has the lock, another server process is the
 * owner, or a commit is not followed yet. After an error before the commit nothing is stored, and every
 * process gets a transaction of its own: only the faulty process fails. An error of the commit itself
 * reaches every caller. Then each row shows whether its event was committed.
 */
export class SharedCommits<
  Id extends ProcessId,
  State,
  Event extends Tagged,
  Command extends Tagged,
> {
  readonly #app: App
  readonly #type: ProcessType<Id, State, Event, Command>
  readonly #memory: ProcessMemory<Id, State, Event, Command>
  readonly #submit: (shared: SharedEvent<Id, Event>) => Promise<SharedResult<Command>>

  constructor(
    app: App,
    type: ProcessType<Id, State, Event, Command>,
    memory: ProcessMemory<Id, State, Event, Command>,
  ) {
    this.#app = app
    this.#type = type
    this.#memory = memory
    const flush = (events: SharedEvent<Id, Event>[]) => this.#commit(events)
    // A process has at most one event here, because its own queue lets one event through. So the number of open
    // processes bounds this queue.
    const group = groupCommit({ flush, max_batch: SHARED_MAX, max_queue: Infinity })
    this.#submit = groupPerTick(group, SHARED_EVERY_MS)
  }

  /** Undefined: the event needs a transaction of its own. */
  store(id: Id, ahead: DecisionAhead<State, Event, Command>): Promise<SharedResult<Command>> {
    if (!this.#permits(ahead)) return Promise.resolve(undefined)
    const stored = this.#submit({ id, event: ahead.event })
    const ended = stored.then(
      () => {},
      () => {},
    )
    this.#app.background(`sharing a commit: ${this.#type.name}`, ended)
    return stored
  }

  /** Whether this decision can be stored together with those of other processes. */
  #permits({ state, commands }: Decision<State, Command>): boolean {
    const [first, ...others] = commands
    return (
      first !== undefined &&
      this.#type.table.updateMany !== undefined &&
      getParts(this.#type, first).storeMany !== undefined &&
      !others.some((command) => isDurable(this.#type, command)) &&
      !this.#type.isOver(state)
    )
  }

  async #commit(
    events: readonly SharedEvent<Id, Event>[],
  ): Promise<(SharedResult<Command> | Error)[]> {
    let isComplete = false
    try {
      return await this.#app.transact(async (tx) => {
        isComplete = false
        const results = await this.#storeAll(tx, events)
        isComplete = true
        return events.map(({ id }) => results.get(id))
      })
    } catch (error) {
      if (isComplete) throw error
      this.#app.log.warn(
        { err: error, processes: events.length },
        `${this.#type.name}: a shared transaction failed, each event gets its own`,
      )
      return events.map(() => undefined)
    }
  }

  async #storeAll(
    tx: Tx,
    events: readonly SharedEvent<Id, Event>[],
  ): Promise<Map<Id, SharedResult<Command> | Error>> {
    const results = new Map<Id, SharedResult<Command> | Error>()
    const stored: SharedAttempt<Id, State, Event, Command>[] = []
    const byCommand = Map.groupBy(await this.#decideAll(tx, events), ({ first }) => first.type)
    for (const attempts of byCommand.values()) {
      const { storeMany } = getParts(this.#type, attempts[0]!.first)
      const items = attempts.map(({ attempt: draft, first: command }) => ({ draft, command }))
      const answers = await storeMany!(tx, items)
      for (const [index, shared] of attempts.entries()) {
        const answer = answers[index]
        if (answer instanceof Error) {
          results.set(shared.entry.id, answer)
          continue
        }
        const { entry, attempt, commands } = shared
        tx.afterCommit(() => this.#memory.commit(entry, attempt))
        await attempt.executeAfter(tx, commands, answer)
        stored.push(shared)
      }
    }
    await this.#write(tx, stored)
    for (const { entry, attempt } of stored) {
      entry.add(attempt)
      results.set(entry.id, attempt.commands)
    }
    return results
  }

  /** Locks the rows and decides on each that is free and known; the others are left out. */
  async #decideAll(
    tx: Tx,
    events: readonly SharedEvent<Id, Event>[],
  ): Promise<SharedAttempt<Id, State, Event, Command>[]> {
    const ids = events.map(({ id }) => id)
    const stamps = await lockFreeStamps(tx, this.#type.table, ids)
    return events.flatMap(({ id, event }) => {
      const entry = this.#memory.find(id)
      const stamp = stamps.get(id)
      if (!entry || !stamp || !this.#isCurrent(entry, stamp)) return []
      const decision = this.#type.decide(this.#app, entry.state, event, tx.now)
      if (!this.#permits(decision)) return []
      const { state, commands } = decision
      const attempt = new Attempt(this.#app, this.#type, entry, state)
      attempt.version = entry.nextVersion()
      return [{ entry, attempt, commands, first: commands[0]! }]
    })
  }

  #isCurrent(entry: ProcessEntry<Id, State, Event, Command>, stamp: ProcessStamp): boolean {
    return (
      isOwn(this.#app, stamp, entry) &&
      !entry.isInDoubt &&
      !entry.isUnanswered &&
      entry.stateOfRow === undefined &&
      stamp.version === entry.version
    )
  }

  /** An answer may have ended a process, whose row is written already. */
  async #write(tx: Tx, stored: readonly SharedAttempt<Id, State, Event, Command>[]): Promise<void> {
    const unwritten = stored.filter(({ attempt }) => attempt.state !== attempt.written)
    const written = unwritten.map(({ entry, attempt }) => ({
      state: attempt.state,
      fence: entry.fence,
      version: attempt.version,
    }))
    if (written.length > 0) await this.#type.table.updateMany!(tx, written)
    for (const { attempt } of unwritten) attempt.written = attempt.state
  }
}

/** One process of a shared transaction. */
interface SharedAttempt<Id extends ProcessId, State, Event extends Tagged, Command extends Tagged> {
  readonly entry: ProcessEntry<Id, State, Event, Command>
  readonly attempt: Attempt<Id, State, Event, Command>
  readonly commands: readonly Command[]
  readonly first: Command
}
