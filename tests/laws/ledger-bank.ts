import { sql } from 'kysely'
import type { App, Tx } from '@duet/server/core/app.ts'
import type { Pool } from '@duet/server/core/db.ts'
import type { UserId } from '@duet/server/core/ids.ts'
import { type Clock, systemClock } from '@duet/server/lib/clock.ts'
import type { Asset } from '@duet/server/lib/money.ts'
import { type Movement, transfer } from '@duet/server/modules/ledger/index.ts'
import { type Database, onDedicatedConnection } from '@duet/server/platform/database/open.ts'
import { createOutbox } from '@duet/server/platform/database/outbox.ts'
import { silentLog } from '@duet/server/platform/database/log.ts'
import { createTransact, type TxBase } from '@duet/server/platform/database/transact.ts'
import { freshDatabase } from '@duet/testkit/database/template.ts'
import { audit } from './ledger-auditor.ts'

/** The ledger on a database of its own, without transports; its notifications and events are dropped. */
export interface Bank {
  readonly app: App
  readonly database: Database
  /** Adds money from a system account. */
  endow(user_id: UserId, asset: Asset, amount: bigint): Promise<void>
  /** Makes linked movements in a transaction of their own. */
  move(movements: Movement | readonly Movement[]): Promise<'applied' | 'repeated'>
  audit(): Promise<string[]>
  stop(): Promise<void>
}

export interface BankOptions {
  /** Another's database: several banks on one are several processes. */
  readonly database?: Database
  readonly clock?: Clock
  /** Each transaction ends with a statement of its own before the commit, as that of the change log. */
  readonly hasLastStatement?: boolean
}

export async function openBank({
  database: opened,
  clock = systemClock,
  hasLastStatement = false,
}: BankOptions = {}): Promise<Bank> {
  const database = opened ?? (await freshDatabase())
  const { db } = database
  const outbox = createOutbox({ db, log: silentLog, clock })
  const extend = () => ({
    app,
    notify: async () => {},
    publish: async () => {},
  })
  const lastStatement = (tx: TxBase) => ({ query: sql`select 1`.compile(tx), read() {} })
  const transact = createTransact({
    db,
    clock,
    log: silentLog,
    outbox,
    extend,
    ...(hasLastStatement && { lastStatement }),
  })
  // Only the parts that the ledger uses: a test that needs more of the app uses the test app.
  const app = {
    config: { demo: true },
    log: silentLog,
    clock,
    db,
    onDedicatedConnection: (work: (db: Pool) => Promise<unknown>) =>
      onDedicatedConnection(database.connection, work),
    transact,
    emit: () => {},
  } as unknown as App
  let endowments = 0
  return {
    app,
    database,
    endow: (user_id, asset, amount) =>
      app.transact(async (tx: Tx) => {
        const movement = {
          asset,
          amount,
          from: { house: 'promotion' },
          to: { user_id },
          what: 'grant',
          cause: { kind: 'test' },
        } as const
        await transfer(tx, { key: `endowment:${++endowments}`, ...movement })
      }),
    move: (movements) => app.transact((tx: Tx) => transfer(tx, movements)),
    audit: () => audit(database.pool),
    stop: () => database.stop(),
  }
}
