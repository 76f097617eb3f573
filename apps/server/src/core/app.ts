import type { EventName, Payload } from '@duet/protocol'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { ImageProcessor } from '../integrations/images/images.ts'
import type { Storage } from '../integrations/storage/storage.ts'
import type { TurnRelay } from '../integrations/turn/turn.ts'
import type { Clock } from '../lib/clock.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { Realtime } from '../platform/realtime/realtime.ts'
import type { UserId } from './ids.ts'
import type { Module } from './module.ts'
import type { Db, Pool, Tx } from './tx.ts'

/** Everything a command may reach. One per process; tests make one per story. */
export interface App {
  readonly config: Config
  readonly log: Logger
  readonly clock: Clock
  readonly db: Pool
  readonly realtime: Realtime
  readonly jobs: Jobs
  readonly storage: Storage
  readonly images: ImageProcessor
  readonly relay: TurnRelay
  readonly metrics: Metrics
  /** Every mounted module, in the order of dependence. */
  readonly modules: readonly Module[]
  /** One command, one transaction. Nothing that `work` tells leaves before it is committed. */
  transact<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** A stored change as its reader sees it now: the event's module renders it. */
  render(db: Db, viewer_id: UserId, event: string, stored: object): Promise<object>
  /** Sends a transient event to the user's live page, from outside a transaction (the meter, typing, status). */
  emit<E extends EventName>(user_id: UserId, event: E, payload: Payload<E>): void
}
