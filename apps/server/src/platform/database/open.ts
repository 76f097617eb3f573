import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import type { Pool } from '../../core/db.ts'
import { type EmbeddedDatabase, openEmbedded } from './embedded/embedded.ts'
import { type Log, silentLog } from './log.ts'
import { createPlanKeeper } from './statements/kept-plans.ts'
import { StartRefused } from '../../lib/configuration/start-refused.ts'
import type { Tables } from '../../core/tables.gen.ts'
import { distinguishAmounts, typesOfColumns } from './values.ts'

/** Connections of one process; a production server must allow this many for each server process, and a few more. */
export const POOL_MAX = 20
const STATEMENT_TIMEOUT_MS = 15_000
const IDLE_IN_TRANSACTION_MS = 30_000
const CONNECT_TIMEOUT_MS = 10_000
const IDLE_CONNECTION_MS = 60_000
const OLDEST_VERSION = 150_000

export interface Database {
  pool: pg.Pool
  db: Pool
  /** Connects another pool (jobs) or a single client to the same database, as the owner of its tables. */
  connection: pg.ClientConfig
  /** Set when this process runs PostgreSQL itself. */
  embedded: EmbeddedDatabase | undefined
  /** Waits for running queries, closes the pool and stops the embedded PostgreSQL. */
  stop(): Promise<void>
}

export interface DatabaseOptions {
  /** An external server: `postgres://user:password@host:5432/name`. */
  url?: string | undefined
  /** The folder of the embedded database; used when there is no url. */
  data_dir?: string | undefined
  log?: Log
  pool_max?: number
}

/**
 * Opens the database. Ids (int8) are read as numbers, amounts (the domain units) as bigints, numeric as
 * strings, jsonb as parsed JSON. A timestamptz is a Temporal.Instant, a date is a Temporal.PlainDate.
 * Temporal values are accepted as parameters.
 *
 * @throws StartRefused when the url is wrong or no server answers there
 */
export async function openDatabase({
  url,
  data_dir,
  log = silentLog,
  pool_max = POOL_MAX,
}: DatabaseOptions): Promise<Database> {
  if (url !== undefined) {
    const connection = connectionFrom(url)
    await refuseUnreachable(connection)
    return attach(connection, { log, pool_max })
  }
  if (data_dir === undefined)
    throw new StartRefused(
      'There is no database: set DATABASE_URL, or DATA_DIR for the embedded one.',
    )
  const embedded = await openEmbedded({ data_dir, log })
  const { application } = embedded
  return attach(embedded.connection, { application, embedded, log, pool_max })
}

export interface AttachOptions {
  /** The connection of the pool, where it is not the owner's. */
  application?: pg.ClientConfig
  embedded?: EmbeddedDatabase
  log?: Log
  pool_max?: number
}

/** Creates a pool and a Kysely for a server that is known to answer. */
export function attach(
  connection: pg.ClientConfig,
  { application = connection, embedded, log = silentLog, pool_max = POOL_MAX }: AttachOptions = {},
): Database {
  const settings: pg.ClientConfig = {
    ...application,
    application_name: 'duet',
    options: '-c timezone=UTC',
    types: typesOfColumns,
  }
  const pool = new pg.Pool({
    ...settings,
    max: pool_max,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
  })
  const keepPlans = createPlanKeeper()
  let stopped: Promise<void> | undefined
  // Without listeners a lost connection would end this process. With them the pool drops it and opens
  // another connection.
  pool.on('error', (error) => {
    if (!stopped) log.warn({ err: error }, 'a database connection was lost')
  })
  pool.on('connect', (client) => {
    client.on('error', () => {})
    distinguishAmounts(client)
    keepPlans(client)
  })
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }) as Pool
  return {
    pool,
    db,
    connection: { ...connection },
    embedded,
    stop: () => (stopped ??= pool.end().then(() => embedded?.stop())),
  }
}

/**
 * Runs work that may take longer than a statement of a request. The work has a connection of its own
 * without a statement timeout, so it takes no connection from requests. Session locks end with the
 * connection.
 */
export async function onDedicatedConnection<T>(
  connection: pg.ClientConfig,
  work: (db: Pool) => Promise<T>,
): Promise<T> {
  const pool = new pg.Pool({
    ...connection,
    application_name: 'duet long work',
    options: '-c timezone=UTC',
    types: typesOfColumns,
    max: 1,
  })
  // A lost connection fails the statement that uses it. An idle connection has nothing to report.
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    client.on('error', () => {})
    distinguishAmounts(client)
  })
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }) as Pool
  try {
    // The server or the account may have a timeout of its own.
    await sql`set statement_timeout = 0`.execute(db)
    return await work(db)
  } finally {
    await pool.end()
  }
}

function connectionFrom(url: string): pg.ClientConfig {
  const connection = { connectionString: url }
  try {
    if (!/^postgres(ql)?:\/\//.test(url)) throw new Error('another scheme')
    new pg.Client(connection)
  } catch {
    throw new StartRefused(
      'DATABASE_URL is not an address of PostgreSQL, which looks like postgres://user:password@host:5432/name.',
    )
  }
  return connection
}

async function refuseUnreachable(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: CONNECT_TIMEOUT_MS })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ number: number }>(
      `select current_setting('server_version_num')::int4 as number`,
    )
    const version = rows[0]?.number ?? 0
    if (version < OLDEST_VERSION)
      throw new StartRefused(
        `The PostgreSQL of DATABASE_URL is ${Math.floor(version / 10_000)}: Duet needs 15 or newer.`,
      )
  } catch (error) {
    if (error instanceof StartRefused) throw error
    const address = `${client.host}:${client.port}/${client.database ?? ''}`
    throw new StartRefused(
      `The database of DATABASE_URL (${address}) cannot be used: ${getReason(error)}.`,
    )
  } finally {
    await client.end().catch(() => {})
  }
}

function getReason(error: unknown): string {
  // Node lists every address that it tried in an AggregateError whose own message is empty.
  const first = error instanceof AggregateError ? error.errors[0] : error
  return first instanceof Error ? first.message.replace(/\.$/, '') : String(first)
}
