import type { EventName, Payload } from '@duet/protocol'
import type { Kysely, Transaction } from 'kysely'
import type { Tables } from '../platform/database/tables.gen.ts'
import type { App } from './app.ts'
import type { DomainEventName, DomainEvents } from './domain-events.ts'
import type { UserId } from './ids.ts'

export type Pool = Kysely<Tables>

/** Where a read may run: inside a transaction or on the pool. */
export type Db = Kysely<Tables>

/** A transaction: the database plus what happens because of it. */
export interface Tx extends Transaction<Tables> {
  readonly app: App
  /** The instant of this transaction, the same for everything in it. */
  readonly now: Temporal.Instant
  /**
   * Tells one user something after commit. A durable event (its contract says so) becomes a row of his change log in
   * this transaction and carries `change_id`; a transient one is only sent.
   */
  notify<E extends EventName>(user_id: UserId, event: E, payload: Payload<E>): Promise<void>
  /** States a fact; the modules that hear it act inside this transaction. */
  publish<F extends DomainEventName>(fact: F, said: DomainEvents[F]): Promise<void>
  /** Runs after commit, in order; never on rollback. */
  afterCommit(effect: () => void | Promise<void>): void
  /** A row of the outbox: done right after commit, at least once. */
  enqueue(kind: string, payload: unknown, key?: string): Promise<void>
}
