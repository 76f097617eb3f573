import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { grantRows } from './embedded/application-user.ts'
import { type Log, silentLog } from './log.ts'
import { StartRefused } from '../../lib/configuration/start-refused.ts'

const FOLDER = join(import.meta.dirname, 'migrations')
const FILE_NAME = /^(\d{4})-([a-z0-9-]+)\.sql$/
/** An advisory lock number that no other code uses in this database. */
const LOCK_KEY = 4_205_001

export interface Migration {
  number: number
  name: string
  checksum: string
  sql: string
}

/** The migrations of this program in their order. @throws StartRefused for a malformed name or a number used twice */
export async function readMigrations(folder: string = FOLDER): Promise<Migration[]> {
  const migrations: Migration[] = []
  for (const file of (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()) {
    const [, number] = FILE_NAME.exec(file) ?? []
    if (number === undefined)
      throw new StartRefused(`The migration ${file} must be named like 0001-what-it-adds.sql.`)
    // A checkout with other line endings contains the same migration.
    const sql = (await readFile(join(folder, file), 'utf8')).replaceAll('\r\n', '\n')
    const checksum = createHash('sha256').update(sql).digest('hex')
    migrations.push({ number: Number(number), name: file.slice(0, -'.sql'.length), checksum, sql })
  }
  const twice = migrations.find(
    (migration, index) => migrations[index - 1]?.number === migration.number,
  )
  if (twice !== undefined)
    throw new StartRefused(`Two migrations have the number of ${twice.name}.`)
  return migrations
}

/** One digest of the whole schema that these migrations create. */
export function computeChecksum(migrations: Migration[]): string {
  return createHash('sha256')
    .update(migrations.map(({ name, checksum }) => `${name} ${checksum}`).join('\n'))
    .digest('hex')
}

export interface MigrationResult {
  applied: string[]
  checksum: string
}

/**
 * Migrates the database to this program's schema: forward only, each file in its own transaction, one
 * process at a time.
 *
 * @throws StartRefused when the database is newer, an applied file was changed, or a file fails (it then
 * has no effect)
 */
export async function migrate(
  connection: pg.ClientConfig,
  {
    log = silentLog,
    folder = FOLDER,
    up_to = Infinity,
  }: { log?: Log; folder?: string; up_to?: number } = {},
): Promise<MigrationResult> {
  const migrations = (await readMigrations(folder)).filter(({ number }) => number <= up_to)
  const client = new pg.Client({
    ...connection,
    application_name: 'duet migrate',
    statement_timeout: 0,
  })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK_KEY])
    const pending = listPending(migrations, await appliedIn(client))
    for (const migration of pending) {
      await apply(client, migration)
      log.info({ migration: migration.name }, 'migrated')
    }
    await createMonthPartitions(client, log)
    await grantRows(client)
    return { applied: pending.map(({ name }) => name), checksum: computeChecksum(migrations) }
  } finally {
    await client.end().catch(() => {})
  }
}

async function createMonthPartitions(client: pg.Client, log: Log): Promise<void> {
  const { rows } = await client.query<{ present: boolean }>(
    `select to_regclass('partitioned_tables') is not null as present`,
  )
  if (rows[0]?.present !== true) return
  const tables = await client.query<{ name: string }>(
    'select name from partitioned_tables order by 1',
  )
  for (const { name } of tables.rows) {
    const { rows: created } = await client.query<{ months: string[] }>(
      'select create_month_partitions($1, now())::text[] as months',
      [name],
    )
    for (const month of created[0]?.months ?? [])
      log.info({ table: name, month }, 'a monthly partition was created')
  }
}

interface AppliedMigration {
  number: number
  name: string
  checksum: string
}

async function appliedIn(client: pg.Client): Promise<AppliedMigration[]> {
  const { rows } = await client.query<{ present: boolean }>(
    `select to_regclass('schema_migrations') is not null as present`,
  )
  if (rows[0]?.present !== true) return []
  return (
    await client.query<AppliedMigration>(
      'select number, name, checksum from schema_migrations order by number',
    )
  ).rows
}

function listPending(migrations: Migration[], applied: AppliedMigration[]): Migration[] {
  const known = new Map(migrations.map((migration) => [migration.number, migration]))
  for (const { number, name, checksum } of applied) {
    const migration = known.get(number)
    if (migration === undefined) {
      throw new StartRefused(
        `The database is newer than this program (it has the migration ${name}): start the newer version, or restore a backup.`,
      )
    }
    if (migration.checksum !== checksum) {
      throw new StartRefused(
        `The migration ${name} was changed after it had been applied: undo the change, and write a new migration instead.`,
      )
    }
  }
  const done = new Set(applied.map(({ number }) => number))
  const last = applied.at(-1)
  const pending = migrations.filter(({ number }) => !done.has(number))
  const late = pending.find(({ number }) => last !== undefined && number < last.number)
  if (late !== undefined) {
    throw new StartRefused(
      `The migration ${late.name} comes before ${last?.name}, which the database already has: give it a later number.`,
    )
  }
  return pending
}

async function apply(client: pg.Client, { number, name, checksum, sql }: Migration): Promise<void> {
  try {
    await client.query('begin')
    await client.query(sql)
    await client.query(
      'insert into schema_migrations (number, name, checksum) values ($1, $2, $3)',
      [number, name, checksum],
    )
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw new StartRefused(
      `The migration ${name} failed${toLine(error, sql)}: ${error instanceof Error ? error.message : String(error)}.`,
    )
  }
}

function toLine(error: unknown, sql: string): string {
  const position = Number((error as { position?: string }).position)
  return Number.isFinite(position)
    ? ` at line ${sql.slice(0, position - 1).split('\n').length}`
    : ''
}
