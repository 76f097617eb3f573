import { spawn } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { chmod, mkdir } from 'node:fs/promises'
import { createConnection, type Socket } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { APPLICATION_USER } from '@duet/server/platform/database/embedded/application-user.ts'
import type { EmbeddedConnection } from '@duet/server/platform/database/embedded/embedded.ts'
import { type Log, silentLog } from '@duet/server/platform/database/log.ts'
import { computeChecksum, migrate, readMigrations } from '@duet/server/platform/database/migrate.ts'
import { attach, type Database } from '@duet/server/platform/database/open.ts'

const KEEPER_TIMEOUT_MS = 60_000
const POLL_MS = 20
const TEMPLATES_KEPT = 3
const TEMPLATE_LOCK_KEY = 4_205_002
const TEST_POOL_MAX = 5

/** For tests: creates a separate database, migrated and empty, in about 30 ms. `stop()` drops it. */
export async function freshDatabase({
  log = silentLog,
  pool_max = TEST_POOL_MAX,
}: { log?: Log; pool_max?: number | undefined } = {}): Promise<Database> {
  const keeper = await keeperOfThisRun()
  const template = await (keeper.template ??= ensureTemplate(keeper.connection))
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await create(keeper, `${name} template ${template}`)
  keeper.send({ created: name })
  const database = attach(
    { ...keeper.connection, database: name },
    {
      application: { ...keeper.connection, database: name, user: APPLICATION_USER },
      log,
      pool_max,
    },
  )
  let dropped: Promise<void> | undefined
  const drop = async () => {
    await database.stop()
    await command(keeper.connection, `drop database if exists ${name} with (force)`)
    keeper.send({ dropped: name })
  }
  return { ...database, stop: () => (dropped ??= drop()) }
}

/** For tests: creates an empty database without any table, on the same server. */
export async function bareDatabase(): Promise<{
  connection: pg.ClientConfig
  drop(): Promise<void>
}> {
  const keeper = await keeperOfThisRun()
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await create(keeper, name)
  keeper.send({ created: name })
  return {
    connection: { ...keeper.connection, database: name },
    drop: () => command(keeper.connection, `drop database if exists ${name} with (force)`),
  }
}

interface Keeper {
  connection: EmbeddedConnection
  /** Where test databases are created: in memory; null on a machine without it. */
  tablespace: string | null
  send(message: { created: string } | { dropped: string }): void
  template?: Promise<string>
}

let keeper: Promise<Keeper> | undefined

function keeperOfThisRun(): Promise<Keeper> {
  return (keeper ??= connectOrStartKeeper())
}

/** Connects to the keeper's socket. If no keeper answers, starts a keeper. */
async function connectOrStartKeeper(): Promise<Keeper> {
  const account = process.platform === 'win32' ? userInfo().username : String(process.getuid?.())
  const key = createHash('sha256')
    .update(`${import.meta.dirname} ${account}`)
    .digest('hex')
    .slice(0, 12)
  const folder = join(tmpdir(), `duet-test-${key}`)
  await mkdir(folder, { recursive: true })
  await chmod(folder, 0o755)
  const socketPath =
    process.platform === 'win32' ? `\\\\.\\pipe\\duet-test-${key}` : join(folder, 'keeper.sock')
  const deadlineMs = performance.now() + KEEPER_TIMEOUT_MS
  for (let started = false; ; started = true) {
    for (let attempt = 0; attempt < (started ? 100 : 1); attempt++) {
      const connected = await connectToKeeper(socketPath)
      if (connected !== undefined) return connected
      if (started) await sleep(POLL_MS)
    }
    if (performance.now() > deadlineMs)
      throw new Error(`the test database in ${folder} did not start`)
    spawn(process.execPath, [join(import.meta.dirname, 'template-keeper.ts'), folder, socketPath], {
      detached: true,
      stdio: 'ignore',
    }).unref()
  }
}

function connectToKeeper(socketPath: string): Promise<Keeper | undefined> {
  return new Promise((done) => {
    const socket: Socket = createConnection(socketPath)
    socket.once('error', () => done(undefined))
    socket.once('close', () => done(undefined))
    createInterface({ input: socket })
      .on('error', () => {})
      .once('line', (line) => {
        // Only running tests keep their process alive, this socket does not.
        socket.unref()
        const { tablespace, ...connection } = JSON.parse(line) as EmbeddedConnection &
          Pick<Keeper, 'tablespace'>
        done({
          connection,
          tablespace,
          send: (message) => void socket.write(`${JSON.stringify(message)}\n`),
        })
      })
  })
}

/** There is a template for each state of the migrations. The oldest templates are dropped. */
async function ensureTemplate(connection: EmbeddedConnection): Promise<string> {
  const template = `template_${computeChecksum(await readMigrations()).slice(0, 16)}`
  const client = new pg.Client({ ...connection, database: 'postgres' })
  client.on('error', () => {})
  await client.connect()
  try {
    const exists = async () =>
      (
        await client.query('select from pg_database where datname = $1 and datistemplate', [
          template,
        ])
      ).rowCount === 1
    if (await exists()) return template
    await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK_KEY])
    if (await exists()) return template
    await client.query(`drop database if exists ${template} with (force)`)
    await client.query(`create database ${template}`)
    await migrate({ ...connection, database: template })
    await client.query(`alter database ${template} with is_template true`)
    await dropOldTemplates(client)
    return template
  } finally {
    await client.end()
  }
}

async function dropOldTemplates(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select datname as name from pg_database where datname like 'template\\_%' and datistemplate order by oid desc offset $1`,
    [TEMPLATES_KEPT],
  )
  for (const { name } of rows) {
    await client.query(`alter database ${name} with is_template false`)
    await client.query(`drop database if exists ${name}`)
  }
}

/** Copies the files: with a checkpoint before and after it is still cheaper than writing each page to the log. */
async function create({ connection, tablespace }: Keeper, what: string): Promise<void> {
  const place = tablespace === null ? '' : ` tablespace ${tablespace}`
  await command(connection, `create database ${what} strategy file_copy${place}`)
}

async function command(connection: EmbeddedConnection, text: string): Promise<void> {
  const client = new pg.Client({ ...connection, database: 'postgres' })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}
