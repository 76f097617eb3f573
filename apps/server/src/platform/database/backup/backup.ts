import { constants } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import pg from 'pg'
import {
  BACKUP_FORMAT,
  BACKUP_VERSION,
  type BackupHeader,
  type BackupTrailer,
  line,
} from './backup-format.ts'
import { encrypted } from './encryption.ts'
import { introspect, type DatabaseSchema } from '../introspect.ts'
import { StartRefused } from '../../../lib/configuration/start-refused.ts'

const FETCH_ROWS = 500

export interface BackupMade {
  file: string
  tables: number
  rows: number
  encrypted: boolean
}

export interface BackupOptions {
  /** Public keys of age; without one the file is not encrypted. */
  recipients?: readonly string[]
}

/**
 * Writes a snapshot of the schema `public` into one file while the server continues. Only this account can
 * read the file. A file of that name is replaced only after the new file is complete and on the disk.
 * Queued jobs and media files are not part of it.
 *
 * @throws StartRefused when the database was never migrated
 */
export async function backupTo(
  connection: pg.ClientConfig,
  file: string,
  { recipients = [] }: BackupOptions = {},
): Promise<BackupMade> {
  const client = new pg.Client({
    ...connection,
    application_name: 'duet backup',
    statement_timeout: 0,
    options: '-c timezone=UTC',
  })
  client.on('error', () => {})
  await client.connect()
  const draft = `${file}.part`
  try {
    await client.query('begin isolation level repeatable read read only')
    const schema = await introspect(client)
    if (!schema.tables.includes('schema_migrations'))
      throw new StartRefused('There is nothing to back up: the database was never migrated.')
    const made = { file, tables: 0, rows: 0, encrypted: recipients.length > 0 }
    const lines = Readable.from(readLines(client, schema, made))
    const target = await createDraft(draft)
    try {
      if (recipients.length === 0) await pipeline(lines, createGzip(), target)
      else
        await pipeline(
          lines,
          createGzip(),
          (packed: AsyncIterable<Uint8Array>) => encrypted(packed, recipients),
          target,
        )
      await rename(draft, file)
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
    return made
  } finally {
    await client.end().catch(() => {})
  }
}

/**
 * An existing file of that name may belong to another account, and its mode and links would stay. So the
 * existing file is removed. Creating fails if another process has created the file first.
 */
async function createDraft(draft: string) {
  await rm(draft, { force: true })
  // Windows has no O_NOFOLLOW; undefined adds no bit there.
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants
  const handle = await open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
  return handle.createWriteStream({ flush: true })
}

async function* readLines(
  client: pg.Client,
  schema: DatabaseSchema,
  made: BackupMade,
): AsyncGenerator<string> {
  const { rows: migrations } = await client.query<BackupHeader['migrations'][number]>(
    'select number, name, checksum from schema_migrations order by number',
  )
  const header: BackupHeader = {
    format: BACKUP_FORMAT,
    version: BACKUP_VERSION,
    made_at: Temporal.Now.instant().toString(),
    migrations,
  }
  yield line(header)
  for (const table of schema.tables) {
    if (table === 'schema_migrations') continue
    yield line({ table })
    made.tables++
    // The text form of a whole row is exact for every type, and PostgreSQL can parse it again.
    await client.query(
      `declare every_row no scroll cursor for select (t.*)::text as row from ${pg.escapeIdentifier(table)} t`,
    )
    for (;;) {
      const { rows } = await client.query<{ row: string }>(`fetch ${FETCH_ROWS} from every_row`)
      if (rows.length === 0) break
      made.rows += rows.length
      yield rows.map(({ row }) => line(row)).join('')
    }
    await client.query('close every_row')
  }
  yield line(await readTrailer(client, made.rows))
}

/** Sequences are not part of snapshots. They are read last, so they are never behind a row of the backup. */
async function readTrailer(client: pg.Client, rows: number): Promise<BackupTrailer> {
  const sequences = await client.query<{ name: string; last_value: string }>(
    `select sequencename as name, last_value::text from pg_sequences where schemaname = 'public' and last_value is not null order by 1`,
  )
  return { complete: true, rows, sequences: sequences.rows }
}
