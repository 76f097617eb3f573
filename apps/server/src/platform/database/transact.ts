import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CompiledQuery, Transaction } from 'kysely'
import { assert } from '../../lib/assert.ts'
import { type Clock, plusMs } from '../../lib/clock.ts'
import { isOutdatedPlan } from './statements/kept-plans.ts'
import type { Log } from './log.ts'
import type { Pool } from '../../core/db.ts'
import type { Delivery, Outbox } from './outbox.ts'
import type { Tables } from '../../core/tables.gen.ts'

const CONFLICT_RETRIES_MAX = 5
const CONFLICT_PAUSE_MS = 10
const CONNECT_RETRIES_MAX = 20
const CONNECT_PAUSE_MS = 100
const SERIALIZATION_FAILURE = '40001'
const DEADLOCK = '40P01'
/** PostgreSQL cannot be reached or is still starting: no statement has run yet, so a retry is harmless. */
const NOT_CONNECTED = new Set([
  'ECONNREFUSED',
  'ENOENT',
  'ECONNRESET',
  'EPIPE',
  '57P01',
  '57P02',
  '57P03',
])

/** When the effects of a doubt run: a connection that was cut may carry its commit to the database a little later. */
const DOUBT_RUNS_MS = [1_000, 15_000]
/** SQLSTATE classes of errors that do not tell whether the commit happened: a lost connection, a database that ends. */
const CLASSES_IN_DOUBT = new Set(['08', '57'])
const SQLSTATE_LENGTH = 5

export type Effect = () => void | Promise<void>

/** The functions that every transaction has besides SQL. */
export type TxBase = Transaction<Tables> & {
  /** The instant of this transaction, the same for everything in it. */
  readonly now: Temporal.Instant
  /** Runs in this transaction when its work is done: what locks out other transactions is locked shortly and in one order. */
  beforeCommit(work: () => Promise<void>): void
  /** Runs after commit, in order, awaited by `transact`; never on rollback. An error is logged, and the other effects still run. */
  afterCommit(effect: Effect): void
  /**
   * Runs when the answer of the commit was lost, instead of the effects after the commit, some time later and more than
   * once. It must be harmless if nothing was committed.
   */
  inDoubt(effect: Effect): void
  /**
   * Writes a row of the outbox in this transaction. The row is delivered right after commit, at least once.
   * A repeated key of this kind has no effect. The payload must be valid JSON data.
   */
  enqueue(kind: string, payload: unknown, key?: string): Promise<void>
}

export type Transact<Extension> = <Result>(
  work: (tx: TxBase & Extension) => Promise<Result>,
) => Promise<Result>

/** The last statement before the commit. */
export interface LastStatement {
  readonly query: CompiledQuery
  /** Called with its rows after the commit, before the effects. */
  read(rows: readonly unknown[]): void
}

export interface TransactOptions<Extension extends object> {
  db: Pool
  clock: Clock
  log: Log
  outbox: Outbox
  /** Adds the functions of the layers above (`notify`, `publish`) to a new transaction. Called once for each attempt. */
  extend: (tx: TxBase) => Extension
  /** The last statement of a transaction whose work is done. */
  lastStatement?: (tx: TxBase & Extension) => LastStatement | undefined
}

/**
 * Creates `transact(work)`: one command, one transaction, its effects after commit.
 *
 * `work` may run up to five more times, after a serialization failure, a deadlock or a change of a table. Everything that
 * `work` touches besides `tx` must bear a repeat. If `work` throws, the transaction is rolled back and the error is passed
 * on. A transaction inside a transaction is a bug.
 */
export function createTransact<Extension extends object>(
  options: TransactOptions<Extension>,
): Transact<Extension> {
  const inside = new AsyncLocalStorage<{ open: boolean }>()

  return async (work) => {
    assert(inside.getStore()?.open !== true, 'a transaction does not begin inside another one')
    for (let conflicts = 0, connectFailures = 0; ;) {
      const attempt = new Attempt(options)
      try {
        const scope = { open: true }
        const result = await inside.run(scope, () =>
          attempt.run(work).finally(() => (scope.open = false)),
        )
        await attempt.finish()
        return result
      } catch (error) {
        const code = (error as { code?: string } | null)?.code
        if (attempt.isCommitSent && isInDoubt(code)) attempt.followDoubt()
        if (
          (code === SERIALIZATION_FAILURE || code === DEADLOCK || isOutdatedPlan(error)) &&
          conflicts < CONFLICT_RETRIES_MAX
        ) {
          conflicts++
          await sleep(CONFLICT_PAUSE_MS * conflicts * (0.5 + Math.random()))
        } else if (
          !attempt.began &&
          code !== undefined &&
          NOT_CONNECTED.has(code) &&
          connectFailures < CONNECT_RETRIES_MAX
        ) {
          connectFailures++
          await sleep(CONNECT_PAUSE_MS)
        } else {
          throw error
        }
      }
    }
  }
}

class Attempt<Extension extends object> {
  began = false
  isCommitSent = false
  readonly #options: TransactOptions<Extension>
  readonly #effects: Effect[] = []
  readonly #effectsInDoubt: Effect[] = []
  readonly #lastWork: (() => Promise<void>)[] = []
  readonly #deliveries: Delivery[] = []
  #open = true

  constructor(options: TransactOptions<Extension>) {
    this.#options = options
  }

  async run<Result>(work: (tx: TxBase & Extension) => Promise<Result>): Promise<Result> {
    const { db, clock, outbox, extend, lastStatement } = this.#options
    let readLast = () => {}
    try {
      const result = await db.transaction().execute(async (transaction) => {
        this.began = true
        const tx: TxBase = Object.assign(transaction, {
          now: clock.now(),
          beforeCommit: (work: () => Promise<void>) => void this.#lastWork.push(work),
          afterCommit: (effect: Effect) => {
            assert(this.#open, 'effects are queued while the transaction is open')
            this.#effects.push(effect)
          },
          inDoubt: (effect: Effect) => void this.#effectsInDoubt.push(effect),
          enqueue: async (kind: string, payload: unknown, key?: string) => {
            const delivery = await outbox.add(transaction, { kind, payload, key })
            if (delivery !== undefined) this.#deliveries.push(delivery)
          },
        })
        const extended = Object.assign(tx, extend(tx))
        const result = await work(extended)
        for (const last of this.#lastWork) await last()
        const last = lastStatement?.(extended)
        if (last) {
          const { rows } = await transaction.executeQuery(last.query)
          readLast = () => last.read(rows)
        }
        this.isCommitSent = true
        return result
      })
      readLast()
      return result
    } finally {
      this.#open = false
    }
  }

  /** Only after commit. */
  async finish(): Promise<void> {
    this.#options.outbox.deliverSoon(this.#deliveries)
    await this.#runEach(this.#effects)
  }

  /** Does again from the rows what follows the commit, in case that it happened. */
  followDoubt(): void {
    const { clock } = this.#options
    if (this.#effectsInDoubt.length === 0) return
    for (const ms of DOUBT_RUNS_MS)
      clock.at(plusMs(clock.now(), ms), () => void this.#runEach(this.#effectsInDoubt))
  }

  async #runEach(effects: readonly Effect[]): Promise<void> {
    for (const effect of effects) {
      try {
        await effect()
      } catch (error) {
        this.#options.log.error({ err: error }, 'an effect after commit failed')
      }
    }
  }
}

/** An error that PostgreSQL itself reports tells that the transaction was rolled back. */
function isInDoubt(code: string | undefined): boolean {
  return code?.length !== SQLSTATE_LENGTH || CLASSES_IN_DOUBT.has(code.slice(0, 2))
}
