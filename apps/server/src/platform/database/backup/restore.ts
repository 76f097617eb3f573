import { createReadStream } from 'node:fs'
import { access } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import pg from 'pg'
import {
  BACKUP_FORMAT,
  BACKUP_VERSION,
  type BackupHeader,
  type BackupTable,
  type BackupTrailer,
} from './backup-format.ts'
import { decrypted, isEncrypted } from './encryption.ts'
import { introspect, type DatabaseSchema } from '../introspect.ts'
import { migrate, readMigrations } from '../migrate.ts'
import { StartRefused } from '../../../lib/configuration/start-refused.ts'

const STATEMENT_MAX_ROWS = 500
const STATEMENT_MAX_BYTES = 4_000_000
const LINE_MAX_BYTES = 256_000_000

export interface RestoreOptions {
  /** The secret key of an encrypted backup. */
  identity?: string | undefined
  /** Ends every login, session of staff and one-time link: those that ended after the backup would otherwise be valid again. */
  end_logins?: boolean
}

export interface RestoreResult {
  made_at: string
  rows: number
  /** Members that left after the backup are back: the operator compares the list and ends them again. */
  staff: readonly { email: string; role: string }[]
}

/**
 * Loads a backup into an empty database, which is not yet migrated. Creates the schema of the backup's
 * time, loads all rows in one transaction that checks every constraint, then migrates to this program's
 * schema. Triggers do not fire for the loaded rows, since the file contains their effects.
 *
 * @throws StartRefused when the database is not empty, or the file is from another program, newer, damaged
 * or incomplete; then no rows are loaded
 */
export async function restoreFrom(
  connection: pg.ClientConfig,
  file: string,
  options: RestoreOptions = {},
): Promise<RestoreResult> {
  await refuseFilled(connection)
  const lines = readLines(file, options.identity)
  try {
    const header = await readHeader(lines, file)
    await migrate(connection, { up_to: header.migrations.at(-1)?.number ?? 0 })
    const rows = await load(connection, lines, file)
    await migrate(connection)
    const staff = await checkAccess(connection, options.end_logins === true)
    return { made_at: header.made_at, rows, staff }
  } finally {
    await lines.return(undefined)
  }
}

/**
 * Restores into a new database and then renames it. The old database stays under the name `kept_as`. No
 * other client may be connected. The account must be allowed to create databases, as the account of the
 * embedded server is.
 */
export async function restoreOver(
  connection: pg.ClientConfig & { database: string },
  file: string,
  options: RestoreOptions = {},
): Promise<RestoreResult & { kept_as: string }> {
  const stamp = Temporal.Now.instant().toString().replace(/\D/g, '').slice(0, 14)
  const fresh = `${connection.database}_restored_${stamp}`
  const keptAs = `${connection.database}_before_${stamp}`
  const admin = new pg.Client({ ...connection, database: 'postgres', statement_timeout: 0 })
  admin.on('error', () => {})
  await admin.connect()
  const name = pg.escapeIdentifier
  try {
    await admin.query(`create database ${name(fresh)}`)
    try {
      const restored = await restoreFrom({ ...connection, database: fresh }, file, options)
      await admin.query(`alter database ${name(connection.database)} rename to ${name(keptAs)}`)
      await admin.query(`alter database ${name(fresh)} rename to ${name(connection.database)}`)
      return { ...restored, kept_as: keptAs }
    } catch (error) {
      await admin.query(`drop database if exists ${name(fresh)} with (force)`)
      throw error
    }
  } finally {
    await admin.end().catch(() => {})
  }
}

/** Ends what opens accounts, where that is wanted. Returns the members of staff. */
async function checkAccess(
  connection: pg.ClientConfig,
  endsLogins: boolean,
): Promise<RestoreResult['staff']> {
  const client = new pg.Client({ ...connection, application_name: 'duet restore' })
  client.on('error', () => {})
  await client.connect()
  try {
    if (endsLogins) {
      await client.query('update logins set ended_at = now() where ended_at is null')
      await client.query('update staff_sessions set ends_at = now() where ends_at > now()')
      await client.query('delete from staff_links')
    }
    const { rows } = await client.query<{ email: string; role: string }>(
      'select email, role from staff_members where ended_at is null order by email',
    )
    return rows
  } finally {
    await client.end().catch(() => {})
  }
}

async function load(
  connection: pg.ClientConfig,
  lines: AsyncGenerator<unknown>,
  file: string,
): Promise<number> {
  const client = new pg.Client({
    ...connection,
    application_name: 'duet restore',
    statement_timeout: 0,
    options: '-c timezone=UTC',
  })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('begin')
    const schema = await introspect(client)
    const tables = schema.tables.filter((table) => table !== 'schema_migrations')
    const foreign = schema.constraints.filter(({ kind }) => kind === 'f')
    // Rows are loaded table by table, so a referenced row may come later; the constraints are added, and so checked, at the end.
    for (const { table, name } of foreign)
      await client.query(`alter table ${quoted(table)} drop constraint ${quoted(name)}`)
    const guarded = await tablesWithPartitions(client)
    for (const table of guarded)
      await client.query(`alter table ${quoted(table)} disable trigger user`)
    // Migrations may have inserted rows.
    if (tables.length > 0) await client.query(`truncate ${tables.map(quoted).join(', ')}`)
    const rows = await loadRows(client, lines, schema, file)
    await client.query('set constraints all immediate')
    for (const { table, name, sql } of foreign)
      await client.query(`alter table ${quoted(table)} add constraint ${quoted(name)} ${sql}`)
    for (const table of guarded)
      await client.query(`alter table ${quoted(table)} enable trigger user`)
    await client.query('commit')
    await client.query('analyze')
    return rows
  } finally {
    await client.end().catch(() => {})
  }
}

/** Triggers must be disabled and enabled for each partition separately. */
async function tablesWithPartitions(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1`,
  )
  return rows.map(({ name }) => name)
}

async function loadRows(
  client: pg.Client,
  lines: AsyncGenerator<unknown>,
  schema: DatabaseSchema,
  file: string,
): Promise<number> {
  let loaded = 0
  let insert: string | undefined
  let batch: string[] = []
  let batchBytes = 0
  const flush = async () => {
    if (insert !== undefined && batch.length > 0) await client.query(insert, [batch])
    loaded += batch.length
    batch = []
    batchBytes = 0
  }
  for await (const content of lines) {
    if (typeof content === 'string') {
      if (insert === undefined) throw damaged(file)
      batch.push(content)
      batchBytes += content.length
      if (batch.length >= STATEMENT_MAX_ROWS || batchBytes >= STATEMENT_MAX_BYTES) await flush()
      continue
    }
    await flush()
    const marker = content as BackupTable | BackupTrailer
    if ('complete' in marker) {
      if (marker.rows !== loaded) throw damaged(file)
      for (const { name, last_value } of marker.sequences)
        await client.query('select setval($1::regclass, $2::int8, true)', [
          quoted(name),
          last_value,
        ])
      return loaded
    }
    insert = insertInto(marker.table, schema)
  }
  throw damaged(file)
}

/** The text of a row also contains the columns that PostgreSQL computes, which cannot be inserted. */
function insertInto(table: string, schema: DatabaseSchema): string {
  const columns = schema.columns
    .filter((column) => column.table === table && column.generated === '')
    .map(({ name }) => quoted(name))
  if (columns.length === 0)
    throw new StartRefused(`The backup has a table ${table} that its own migrations do not create.`)
  return (
    `insert into ${quoted(table)} (${columns.join(', ')}) overriding system value ` +
    `select ${columns.map((column) => `(r).${column}`).join(', ')} from (select x::${quoted(table)} as r from unnest($1::text[]) x offset 0) s`
  )
}

async function readHeader(lines: AsyncGenerator<unknown>, file: string): Promise<BackupHeader> {
  const header = (await lines.next()).value as Partial<BackupHeader> | undefined
  if (header?.format !== BACKUP_FORMAT || !Array.isArray(header.migrations)) throw damaged(file)
  if (header.version !== BACKUP_VERSION)
    throw new StartRefused(
      `${file} was written in a newer format (${header.version}): restore it with the newer version.`,
    )
  const known = new Map((await readMigrations()).map(({ number, checksum }) => [number, checksum]))
  const unknown = header.migrations.find(({ number, checksum }) => known.get(number) !== checksum)
  if (unknown !== undefined)
    throw new StartRefused(
      `${file} was made with the migration ${unknown.name}, which this program does not have: restore it with the version that does.`,
    )
  return header as BackupHeader
}

async function refuseFilled(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  await client.connect()
  try {
    const { rowCount } = await client.query(
      `select from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'public' and c.relkind in ('r', 'p') limit 1`,
    )
    if (rowCount !== 0) throw new StartRefused('The database is not empty: restore into a new one.')
  } finally {
    await client.end()
  }
}

/** The parsed lines of the file. (readline would also split lines at U+2028.) */
async function* readLines(file: string, identity: string | undefined): AsyncGenerator<unknown> {
  await access(file).catch(() => {
    throw new StartRefused(`There is no file ${file}.`)
  })
  const isSealed = await isEncrypted(file)
  if (isSealed && identity === undefined)
    throw new StartRefused(`${file} is encrypted: name the file with its secret key by --identity.`)
  const bytes = createReadStream(file)
  const source = isSealed ? Readable.from(decrypted(bytes, file, identity!)) : bytes
  const stream = source.pipe(createGunzip())
  source.on('error', (error) => stream.destroy(error))
  let rest: Buffer[] = []
  let restBytes = 0
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      let from = 0
      for (let to = chunk.indexOf(10); to !== -1; from = to + 1, to = chunk.indexOf(10, from)) {
        yield parsed(Buffer.concat([...rest, chunk.subarray(from, to)]), file)
        rest = []
        restBytes = 0
      }
      rest.push(chunk.subarray(from))
      restBytes += chunk.length - from
      if (restBytes > LINE_MAX_BYTES) throw damaged(file)
    }
  } catch (error) {
    if ((error as { code?: string }).code?.startsWith('Z_') === true) throw damaged(file)
    throw error
  } finally {
    bytes.destroy()
    source.destroy()
    stream.destroy()
  }
}

function parsed(bytes: Buffer, file: string): unknown {
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown
  } catch {
    throw damaged(file)
  }
}

function damaged(file: string): StartRefused {
  return new StartRefused(`${file} is not a complete backup of Duet: it is damaged or incomplete.`)
}

function quoted(name: string): string {
  return pg.escapeIdentifier(name)
}
