import type { EventName, Payload } from '@duet/protocol'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Integrations } from '../integrations/integrations.ts'
import type { Clock } from '../lib/clock.ts'
import type { RateLimiter } from '../lib/rate-limit.ts'
import type { Pool, TransactionDb } from './db.ts'
import type { DomainEventName, DomainEvents } from './domain-events.ts'
import type { Hooks } from './hooks.ts'
import type { UserId } from './ids.ts'
import type { Jobs } from './jobs.ts'
import type { Metrics } from './metrics.ts'
import type { ExportPart } from './personal-data.ts'
import type { ProcessOwner } from './process-owner.ts'
import type { Realtime } from './realtime.ts'
import type { StoredChange } from './stored-change.ts'

/**
 * Everything of the app except its pool and its transactions. A function that reads on a given `db` takes
 * `AppContext` instead of `App`, so that it cannot read on the pool inside a transaction. If transactions
 * held every connection of the pool and waited for the pool, the process would stand still.
 */
export interface AppContext extends Integrations {
  readonly config: Config
  readonly log: Logger
  readonly clock: Clock
  readonly realtime: Realtime
  readonly metrics: Metrics
  /** This server process as the owner of open calls and offers. */
  readonly processOwner: ProcessOwner
  /** Creates token buckets for at most `keysMax` keys. */
  createRateLimiter(keysMax: number): RateLimiter
  /** The contributions of the modules to each other's answers. */
  readonly hooks: Hooks
  /** Sends a transient event to the user's active connection, from outside a transaction (the meter, typing, status). */
  emit<E extends EventName>(user_id: UserId, event: E, payload: Payload<E>): void
  /**
   * Does not wait for `work`; an error is logged as `{what} failed` with `details`.
   * `what` names the work: `app.background('repeating balance notices', repeatNotices(…), { user_id })`.
   */
  background(what: string, work: Promise<unknown>, details?: object): void
}

/** Everything a command may use. One per process; tests create one per story. */
export interface App extends AppContext {
  readonly db: Pool
  readonly jobs: Jobs
  /** Runs long work on a connection of its own, outside of the pool and without a statement timeout. */
  onDedicatedConnection<T>(work: (db: Pool) => Promise<T>): Promise<T>
  /** One step of removing what all modules hold of a user; `more`: repeat it in another transaction. */
  eraseUser(tx: Tx, user_id: UserId): Promise<'done' | 'more'>
  /** The copy of a user's own data that all modules hand out, or of these tables alone; reads on the pool. */
  exportUser(user_id: UserId, tables?: ReadonlySet<string>): AsyncIterable<ExportPart>
  /** Runs one command in one transaction. Nothing that `work` notifies leaves the process before the commit. */
  transact<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}

/** A transaction: the database, plus what follows from the commit. Functions that write take this. */
export interface Tx extends TransactionDb {
  readonly app: App
  /** The instant of this transaction, the same for everything in it. */
  readonly now: Temporal.Instant
  /**
   * Sends an event to one user after the commit. An event whose contract says durable becomes a row of the
   * user's change log in this transaction and carries `change_id`. A transient event is only sent. `shown`
   * is the rendered form of a stored change at the commit. Without `shown` the change is rendered after the
   * commit.
   */
  notify<E extends EventName>(
    user_id: UserId,
    event: E,
    payload: StoredChange<E>,
    shown?: Payload<E>,
  ): Promise<void>
  /** Publishes a domain event; its subscribers run inside this transaction, in the order of modules.ts. */
  publish<F extends DomainEventName>(name: F, event: DomainEvents[F]): Promise<void>
  /** Runs in this transaction when its work is done: what locks out other transactions is locked shortly and in one order. */
  beforeCommit(work: () => Promise<void>): void
  /** Runs after the commit, in order; never after a rollback. */
  afterCommit(effect: () => void | Promise<void>): void
  /**
   * Runs when the answer of the commit was lost, some time later and more than once, and nothing of `afterCommit` runs.
   * It must be harmless if nothing was committed: it reads rows, or forgets a copy of rows.
   */
  inDoubt(effect: () => void | Promise<void>): void
  /** Writes a row of the outbox; it is delivered right after the commit, at least once. */
  enqueue(kind: string, payload: unknown, key?: string): Promise<void>
}
