/**
 * The process that runs one PostgreSQL for all test processes of this checkout. `template.ts` starts it on
 * demand. If no test process has been connected for a while, it ends. Each test process holds a connection
 * and sends the names of its databases. If the connection ends for any reason, its databases are dropped.
 */
import { rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { openEmbedded } from '@duet/server/platform/database/embedded/embedded.ts'
import { StartRefused } from '@duet/server/lib/configuration/start-refused.ts'
import { exitProcess } from '@duet/server/platform/process/exit-process.ts'
import { createMemoryTablespace, dropMemoryTablespace } from './memory-tablespace.ts'

const IDLE_MS = 30_000

const [folder, socketPath] = process.argv.slice(2)
if (folder === undefined || socketPath === undefined)
  throw new Error('usage: template-keeper.ts FOLDER SOCKET')

const embedded = await openEmbedded({ data_dir: folder, durable: false }).catch(
  (error: unknown) => {
    // Another keeper started earlier; the test processes will find its socket.
    if (error instanceof StartRefused) exitProcess(0)
    throw error
  },
)

// Drop the test databases that remained when an earlier keeper was killed.
await drop(await findNames('test\\_%'))
const tablespace = await createMemoryTablespace(embedded.connection, folder)
const dropTablespace = () => dropMemoryTablespace(embedded.connection, folder)

let clientCount = 0
let idle = setTimeout(() => void end(), IDLE_MS)

const server = createServer((client) => {
  clientCount++
  clearTimeout(idle)
  const databases = new Set<string>()
  client.on('error', () => {})
  createInterface({ input: client }).on('line', (line) => {
    const { created, dropped } = JSON.parse(line) as { created?: string; dropped?: string }
    if (created !== undefined) databases.add(created)
    if (dropped !== undefined) databases.delete(dropped)
  })
  client.on('close', () => {
    void drop(databases).finally(() => {
      clientCount--
      if (clientCount === 0) idle = setTimeout(() => void end(), IDLE_MS)
    })
  })
  client.write(`${JSON.stringify({ ...embedded.connection, tablespace })}\n`)
})

// This process holds the folder's lock, so an existing socket file belongs to a keeper that died.
if (process.platform !== 'win32') await rm(socketPath, { force: true })
server.listen(socketPath)

async function drop(databases: ReadonlySet<string>): Promise<void> {
  if (databases.size === 0) return
  const client = new pg.Client({ ...embedded.connection, database: 'postgres' })
  client.on('error', () => {})
  try {
    await client.connect()
    for (const name of databases)
      await client.query(`drop database if exists ${pg.escapeIdentifier(name)} with (force)`)
  } catch {
    // PostgreSQL is stopping with its keeper; the next keeper drops the databases.
  } finally {
    await client.end().catch(() => {})
  }
}

async function findNames(pattern: string): Promise<Set<string>> {
  const client = new pg.Client({ ...embedded.connection, database: 'postgres' })
  await client.connect()
  const { rows } = await client.query<{ datname: string }>(
    'select datname from pg_database where datname like $1',
    [pattern],
  )
  await client.end()
  return new Set(rows.map(({ datname }) => datname))
}

async function end(): Promise<void> {
  server.close()
  await dropTablespace().catch(() => {})
  await embedded.stop()
  exitProcess(0)
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end())
