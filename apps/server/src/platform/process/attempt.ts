import type { Tagged } from '@duet/state-machine/state-machine.ts'
import type { App, Tx } from '../../core/app.ts'
import { assert } from '../../lib/assert.ts'
import type {
  CommandParts,
  NextStep,
  OwnedProcess,
  ProcessDraft,
  ProcessId,
  ProcessType,
} from './process.ts'

/** The depth of answers that lead to commands with answers; more is an endless loop in the rules. */
const ANSWER_DEPTH_MAX = 20

/** One decision in the making: the writes of its transaction, and the effects of its commit on memory and sockets. */
export class Attempt<
  Id extends ProcessId,
  State,
  Event extends Tagged,
  Command extends Tagged,
> implements ProcessDraft<State> {
  state: State
  version = 1
  isCommitted = false
  /** The state that this transaction has written last. */
  written: State | undefined
  readonly commands: Command[] = []
  readonly #app: App
  readonly #type: ProcessType<Id, State, Event, Command>
  readonly #entry: OwnedProcess<Id, State>
  readonly #pushes: (() => Promise<void> | void)[] = []

  constructor(
    app: App,
    type: ProcessType<Id, State, Event, Command>,
    entry: OwnedProcess<Id, State>,
    state: State,
  ) {
    this.#app = app
    this.#type = type
    this.#entry = entry
    this.state = state
  }

  /** Runs the `store` parts in their order; an answer is decided and executed before the next command. */
  async execute(tx: Tx, commands: readonly Command[], depth = 0): Promise<void> {
    assert(depth < ANSWER_DEPTH_MAX, 'the answers of commands lead to commands without an end')
    for (const command of commands) {
      const answer = await this.#store(tx, command)
      await this.#complete(tx, command, answer, depth)
    }
  }

  /** The same, after the first command was stored together with those of other processes. */
  async executeAfter(
    tx: Tx,
    [first, ...others]: readonly Command[],
    answer: Event | undefined,
  ): Promise<void> {
    await this.#complete(tx, first!, answer, 0)
    await this.execute(tx, others)
  }

  async #store(tx: Tx, command: Command): Promise<Event | undefined> {
    const { store, storeMany } = getParts(this.#type, command)
    if (!storeMany) return (await store?.(tx, this, command)) ?? undefined
    const [answer] = await storeMany(tx, [{ draft: this, command }])
    if (answer instanceof Error) throw answer
    return answer
  }

  async #complete(
    tx: Tx,
    command: Command,
    answer: Event | undefined,
    depth: number,
  ): Promise<void> {
    this.commands.push(command)
    const { push } = getParts(this.#type, command)
    if (push) {
      const run = () => push(this.#app, this.state, command)
      this.#pushes.push(run)
      // In the order of the command among all effects of this transaction.
      tx.afterCommit(() => this.#push(run))
    }
    if (!answer) return
    const decision = this.#type.decide(this.#app, this.state, answer, tx.now)
    this.state = decision.state
    await this.execute(tx, decision.commands, depth + 1)
  }

  async write(tx: Tx): Promise<void> {
    const { state, version } = this
    if (state === this.written) return
    await this.#type.table.update(tx, state, { fence: this.#entry.fence, version })
    this.written = state
  }

  /** A light decision: nothing is stored. */
  executeLight(commands: readonly Command[]): void {
    this.commands.push(...commands)
    for (const command of commands) {
      const { push } = getParts(this.#type, command)
      if (push) this.#pushes.push(() => push(this.#app, this.state, command))
    }
  }

  /** Updates memory; called exactly once. */
  project(): void {
    for (const command of this.commands)
      getParts(this.#type, command).project?.(this.#app, this.state, command)
  }

  /** Sends the remaining pushes in their order. */
  async pushRest(): Promise<void> {
    for (const run of [...this.#pushes]) await this.#push(run)
  }

  async #push(run: () => Promise<void> | void): Promise<void> {
    const at = this.#pushes.indexOf(run)
    if (at === -1) return
    this.#pushes.splice(at, 1)
    try {
      await run()
    } catch (error) {
      this.#app.log.error(
        { err: error, process_id: this.#entry.id },
        `${this.#type.name}: an event could not be sent`,
      )
    }
  }
}

export function getParts<Id extends ProcessId, State, Event extends Tagged, Command extends Tagged>(
  { commands }: ProcessType<Id, State, Event, Command>,
  { type }: Command,
): CommandParts<State, Event, Command> {
  // The table is total, so that each command finds the parts of its own type.
  return commands[type as Command['type']] as CommandParts<State, Event, Command>
}

/** Whether a part of this command runs inside the transaction. */
export function isDurable<
  Id extends ProcessId,
  State,
  Event extends Tagged,
  Command extends Tagged,
>(type: ProcessType<Id, State, Event, Command>, command: Command): boolean {
  const { store, storeMany } = getParts(type, command)
  return store !== undefined || storeMany !== undefined
}

/** The result of `done`, after the next step of its transaction. */
export async function continued<T>(tx: Tx, done: Promise<T>, then?: NextStep): Promise<T> {
  const result = await done
  await then?.(tx)
  return result
}
