import assert from 'node:assert/strict'
import { chmod, mkdtemp, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { generateIdentity, identityToRecipient } from 'age-encryption'
import pg from 'pg'
import { backupTo } from './backup.ts'
import { computeChecksum, readMigrations } from '../migrate.ts'
import { type Database, openDatabase } from '../open.ts'
import { restoreFrom, restoreOver } from './restore.ts'
import { bareDatabase, freshDatabase } from '@duet/testkit/database/template.ts'
import { runAsOwner } from '@duet/testkit/database/run-as-owner.ts'

let folder = ''
let database: Database
let file = ''

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'duet-backup-'))
  file = join(folder, 'all.duet')
  database = await freshDatabase()
  const words = [
    'plain',
    'a "quoted", (bracketed) \\ one',
    'two\nlines\u2028and\ta tab',
    'кириллица 😀',
    '',
  ]
  for (const word of words) {
    await database.pool.query(
      `insert into outbox (kind, key, payload, attempts, due_at, last_error) values ('k', $1, $2, 3, '2026-01-01T00:00:00.123456Z', $3)`,
      [word, JSON.stringify({ word, big: 1 }), null],
    )
  }
  await database.pool.query(
    `insert into outbox (kind, payload) select 'many', to_jsonb(n) from generate_series(1, 1200) n`,
  )
  await backupTo(database.connection, file)
})
after(async () => {
  await database.stop()
  await rm(folder, { recursive: true })
})

async function fetchRows(connection: pg.ClientConfig): Promise<string[]> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    const { rows } = await client.query<{ row: string }>(
      'select o::text as row from outbox o order by outbox_id',
    )
    return rows.map(({ row }) => row)
  } finally {
    await client.end()
  }
}

test('a backup restored into an empty database is exactly the same, and its sequences continue', async () => {
  const { connection, drop } = await bareDatabase()
  const { rows } = await restoreFrom(connection, file)
  assert.ok(rows >= 1205)
  assert.deepEqual(await fetchRows(connection), await fetchRows(database.connection))
  const client = new pg.Client(connection)
  await client.connect()
  const added = await client.query<{ next: boolean }>(
    `insert into outbox (kind, payload) values ('k', '1') returning outbox_id = (select max(outbox_id) + 1 from outbox) as next`,
  )
  assert.deepEqual(added.rows, [{ next: true }])
  await client.end()
  await drop()
})

test('a transaction that commits during a backup is contained completely or not at all', async () => {
  const busy = await freshDatabase()
  const target = join(folder, 'busy.duet')
  let writing = true
  const writer = (async () => {
    for (let pair = 0; writing; pair++) {
      await busy.pool.query(
        `insert into outbox (kind, key, payload) values ('left', $1, '1'), ('right', $1, '1')`,
        [String(pair)],
      )
    }
  })()
  const made = await backupTo(busy.connection, target)
  writing = false
  await writer
  const rows = gunzipSync(await readFile(target))
    .toString()
    .split('\n')
    .filter((line) => line.startsWith('"') && /,(left|right),/.test(line))
  assert.equal(rows.length % 2, 0)
  assert.ok(made.rows >= rows.length)
  await busy.stop()
})

test('a backup is readable only by its owner and leaves no temporary file', async () => {
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  await assert.rejects(stat(`${file}.part`))
})

test('a backup does not take over the mode or the target of a file that another account prepared', async () => {
  const target = join(folder, 'prepared.duet')
  const elsewhere = join(folder, 'elsewhere')
  await writeFile(`${target}.part`, '')
  await chmod(`${target}.part`, 0o666)
  await backupTo(database.connection, target)
  assert.equal((await stat(target)).mode & 0o777, 0o600)
  await writeFile(elsewhere, 'untouched')
  await symlink(elsewhere, `${target}.part`)
  await backupTo(database.connection, target)
  assert.equal(await readFile(elsewhere, 'utf8'), 'untouched')
  assert.equal((await stat(target)).mode & 0o777, 0o600)
})

test('an encrypted backup is restored with its secret key only', async () => {
  const identity = await generateIdentity()
  const sealed = join(folder, 'sealed.duet')
  const recipients = [await identityToRecipient(identity)]
  assert.equal((await backupTo(database.connection, sealed, { recipients })).encrypted, true)
  const bytes = await readFile(sealed)
  assert.throws(() => gunzipSync(bytes))
  const { connection, drop } = await bareDatabase()
  const refused = (given: string | undefined, path: string) =>
    assert.rejects(restoreFrom(connection, path, { identity: given }), { name: 'StartRefused' })
  await refused(undefined, sealed)
  await refused(await generateIdentity(), sealed)
  await writeFile(join(folder, 'cut.duet'), bytes.subarray(0, -100))
  await refused(identity, join(folder, 'cut.duet'))
  await drop()
  const fresh = await bareDatabase()
  await restoreFrom(fresh.connection, sealed, { identity })
  assert.deepEqual(await fetchRows(fresh.connection), await fetchRows(database.connection))
  await fresh.drop()
})

test('a restore that ends all logins leaves no valid token of users and staff, and names the staff', async () => {
  const source = await freshDatabase()
  await source.pool.query(`insert into users (id, created_at) values (7, now())`)
  await source.pool.query(
    `insert into logins (user_id, token_hash, created_at, used_at) values (7, '\\x01', now(), now())`,
  )
  await source.pool.query(`
    insert into staff_members (id, email, role, created_at) overriding system value values (1, 'dana@duet.example', 'owner', now());
    insert into staff_sessions (staff_id, token_hash, device, created_at, used_at, proven_at, ends_at)
      values (1, '\\x02', 'a browser', now(), now(), now(), now() + interval '12 hours');
    insert into staff_links (staff_id, token_hash, totp_secret, expires_at)
      values (1, '\\x03', '\\x04', now() + interval '1 hour')`)
  const path = join(folder, 'logins.duet')
  await backupTo(source.connection, path)
  await source.stop()
  for (const endsLogins of [false, true]) {
    const { connection, drop } = await bareDatabase()
    const { staff } = await restoreFrom(connection, path, { end_logins: endsLogins })
    assert.deepEqual(staff, [{ email: 'dana@duet.example', role: 'owner' }])
    const client = new pg.Client(connection)
    await client.connect()
    const { rowCount } = await client.query(`
      select from logins where ended_at is null
      union all select from staff_sessions where ends_at > now() union all select from staff_links`)
    await client.end()
    await drop()
    assert.equal(rowCount, endsLogins ? 0 : 3)
  }
})

test('a restore into a database with tables is refused', async () => {
  await assert.rejects(restoreFrom(database.connection, file), {
    name: 'StartRefused',
    message: 'The database is not empty: restore into a new one.',
  })
})

test('a truncated, changed or foreign file is refused and loads no row', async () => {
  const whole = await readFile(file)
  const text = gunzipSync(whole).toString()
  const lines = text.trimEnd().split('\n')
  const bad: Record<string, Buffer> = {
    'cut in the gzip': whole.subarray(0, whole.length - 200),
    'cut between lines': gzipSync(lines.slice(0, -1).join('\n')),
    'a row missing': gzipSync(lines.filter((_, index) => index !== lines.length - 3).join('\n')),
    'not gzip': Buffer.from('hello'),
    'another gzip': gzipSync('hello'),
  }
  for (const [name, bytes] of Object.entries(bad)) {
    const { connection, drop } = await bareDatabase()
    const path = join(folder, 'bad.duet')
    await writeFile(path, bytes)
    await assert.rejects(restoreFrom(connection, path), { name: 'StartRefused' }, name)
    const filled = await fetchRows(connection).catch(() => [])
    assert.deepEqual(filled, [], name)
    await drop()
  }
  await truncate(join(folder, 'bad.duet'), 0)
  const { connection, drop } = await bareDatabase()
  await assert.rejects(restoreFrom(connection, join(folder, 'absent')), {
    message: /^There is no file/,
  })
  await drop()
})

test('a backup with other migrations is refused', async () => {
  const text = gunzipSync(await readFile(file)).toString()
  const path = join(folder, 'newer.duet')
  const [head = '', ...rest] = text.split('\n')
  const header = JSON.parse(head) as { migrations: unknown[] }
  header.migrations.push({ number: 9_000, name: '9000-later', checksum: 'x' })
  await writeFile(path, gzipSync([JSON.stringify(header), ...rest].join('\n')))
  const { connection, drop } = await bareDatabase()
  await assert.rejects(restoreFrom(connection, path), {
    name: 'StartRefused',
    message: /made with the migration 9000-later/,
  })
  await drop()
})

test('restoring over the embedded database of a stopped server keeps the old database under another name', async () => {
  const dataDir = join(folder, 'data')
  const opened = await openDatabase({ data_dir: dataDir })
  await runAsOwner(opened, 'create table earlier ()')
  const connection = { ...opened.connection, database: 'duet' }
  await opened.pool.end()
  const { kept_as } = await restoreOver(connection, file)
  assert.deepEqual(await fetchRows(connection), await fetchRows(database.connection))
  const client = new pg.Client({ ...connection, database: kept_as })
  await client.connect()
  assert.equal(
    (await client.query(`select from pg_tables where tablename = 'earlier'`)).rowCount,
    1,
  )
  await client.end()
  await opened.embedded?.stop()
})

test('the checksum of the schema changes with any migration', async () => {
  const migrations = await readMigrations()
  const changed = migrations.map((migration, index) =>
    index === 0 ? { ...migration, checksum: 'x' } : migration,
  )
  assert.notEqual(computeChecksum(changed), computeChecksum(migrations))
})
