/**
 * The process that keeps one PostgreSQL for all test processes of this checkout. Started on demand by `template.ts`, it
 * ends when nobody has been connected for a while. Whoever runs tests holds a connection; when that ends, however it
 * ends, the databases it named are dropped.
 */
import { rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { openEmbedded } from '../embedded/embedded.ts'
import { StartRefused } from '../start-refused.ts'

const IDLE_MS = 30_000

const [folder, door] = process.argv.slice(2)
if (folder === undefined || door === undefined)
  throw new Error('usage: template-keeper.ts FOLDER DOOR')

const embedded = await openEmbedded({ data_dir: folder, durable: false }).catch(
  (error: unknown) => {
    // Another keeper was quicker; the tests will find its door.
    if (error instanceof StartRefused) process.exit(0)
    throw error
  },
)

// What tests left behind when an earlier keeper was killed.
await drop(await namesOf('test\\_%'))

let visitors = 0
let idle = setTimeout(() => void end(), IDLE_MS)

const server = createServer((visitor) => {
  visitors++
  clearTimeout(idle)
  const databases = new Set<string>()
  visitor.on('error', () => {})
  createInterface({ input: visitor }).on('line', (line) => {
    const { made, dropped } = JSON.parse(line) as { made?: string; dropped?: string }
    if (made !== undefined) databases.add(made)
    if (dropped !== undefined) databases.delete(dropped)
  })
  visitor.on('close', () => {
    void drop(databases).finally(() => {
      visitors--
      if (visitors === 0) idle = setTimeout(() => void end(), IDLE_MS)
    })
  })
  visitor.write(`${JSON.stringify(embedded.connection)}\n`)
})

// We hold the folder's lock, so whatever stands at the door is a dead keeper's.
if (process.platform !== 'win32') await rm(door, { force: true })
server.listen(door)

async function drop(databases: ReadonlySet<string>): Promise<void> {
  if (databases.size === 0) return
  const client = new pg.Client({ ...embedded.connection, database: 'postgres' })
  client.on('error', () => {})
  try {
    await client.connect()
    for (const name of databases)
      await client.query(`drop database if exists ${pg.escapeIdentifier(name)} with (force)`)
  } catch {
    // PostgreSQL is going down with its keeper; the next keeper clears the floor.
  } finally {
    await client.end().catch(() => {})
  }
}

async function namesOf(pattern: string): Promise<Set<string>> {
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
  await embedded.stop()
  process.exit(0)
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end())
