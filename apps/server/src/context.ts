import type { Kysely, Transaction } from 'kysely'
import type { Logger } from 'pino'
import type { EventName, Payload } from '@duet/protocol'
import type { Tables } from './platform/db/tables.gen.ts'
import type { Config } from './config.ts'
import type { FactName, Facts } from './domain-events.ts'
import type { Clock } from './lib/clock.ts'
import type { Connection } from './platform/realtime/connection.ts'
import type { Realtime } from './platform/realtime/realtime.ts'
import type { Jobs } from './platform/jobs/jobs.ts'
import type { Relay } from './gateways/turn/turn.ts'
import type { Pictures } from './gateways/picture/picture.ts'
import type { Storage } from './gateways/storage/storage.ts'
import type { Metrics } from './platform/metrics.ts'
import type { Module } from './platform/module.ts'

export type UserId = number
export type Database = Kysely<Tables>
/** Where a read may run: inside a transaction or on the pool. */
export type Reader = Kysely<Tables>

/** Everything a command may reach. One per process; tests make one per story. */
export interface App {
  readonly config: Config
  readonly log: Logger
  readonly clock: Clock
  readonly db: Database
  readonly realtime: Realtime
  readonly jobs: Jobs
  readonly storage: Storage
  readonly pictures: Pictures
  readonly relay: Relay
  readonly metrics: Metrics
  /** Every mounted module, in the order of dependence. */
  readonly modules: readonly Module[]
  /** One command, one transaction. Nothing that `work` tells leaves before it is committed. */
  transact<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** A stored change as its reader sees it now: the event's module renders it. */
  render(reader: Reader, viewer_id: UserId, event: string, stored: object): Promise<object>
  /** Sends a transient event to the user's live page, from outside a transaction (the meter, typing, status). */
  emit<E extends EventName>(user_id: UserId, event: E, payload: Payload<E>): void
}

/** A transaction: the database plus what happens because of it. */
export interface Tx extends Transaction<Tables> {
  readonly app: App
  /** The instant of this transaction, the same for everything in it. */
  readonly now: Temporal.Instant
  /**
   * Tells one user something after commit. A durable event (its contract says so) becomes a row of his change log in
   * this transaction and carries `change_id`; a transient one is only sent.
   */
  tell<E extends EventName>(user_id: UserId, event: E, payload: Payload<E>): Promise<void>
  /** States a fact; the modules that hear it act inside this transaction. */
  fact<F extends FactName>(fact: F, said: Facts[F]): Promise<void>
  /** Runs after commit, in order; never on rollback. */
  after(effect: () => void | Promise<void>): void
  /** A row of the outbox: done right after commit, at least once. */
  later(kind: string, payload: unknown, key?: string): Promise<void>
}

/** Who is calling, as the server knows it at this moment. */
export type Viewer = Visitor | Guest | Member

export interface Visitor {
  readonly kind: 'none'
}

export interface Guest {
  readonly kind: 'guest'
  readonly id: UserId
  /** A guest's row is written at the first stored action. */
  readonly has_row: boolean
  readonly gender: 'M' | 'F' | null
  readonly locale: string
  readonly age_confirmed: boolean
}

export interface Member {
  readonly kind: 'member'
  readonly id: UserId
  readonly login_id: number
  readonly nick: string
  readonly role: 'men' | 'girl'
  readonly premium: boolean
  readonly verified: boolean
  readonly banned: boolean
  readonly locale: string
  readonly country: string | null
  readonly age_confirmed: boolean
}

/** The circumstances of one call. */
export interface Call {
  readonly request_id: string
  readonly address: string
  /** The socket it came by, for the few actions that are about the line itself (AUTH, LOGOUT, subscriptions). */
  readonly connection?: Connection
  readonly idempotency_key?: string
  /** A solved captcha that came with the call (HTTP header `Captcha`). */
  readonly captcha?: string
  readonly locale?: string
  readonly country: string | null
  /** Of a call that takes the provider's own format: what was signed is what arrived. */
  readonly raw_body?: Buffer
  readonly headers?: Readonly<Record<string, string | string[] | undefined>>
  /** Files of a multipart call, by field name. */
  readonly files?: ReadonlyMap<string, UploadedFile>
}

export interface UploadedFile {
  readonly filename: string
  readonly mimetype: string
  readonly bytes: Buffer
}
