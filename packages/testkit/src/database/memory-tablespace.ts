import { chown, mkdir, rm, statfs } from 'node:fs/promises'
import { basename, join } from 'node:path'
import pg from 'pg'
import { findOwner } from '@duet/server/platform/database/embedded/cluster.ts'
import type { EmbeddedConnection } from '@duet/server/platform/database/embedded/embedded.ts'

/** The file system in memory that every Linux has; in a container it may be as small as 64 MB. */
const MEMORY_FOLDER = '/dev/shm'
/** A test database has 12 MB; few exist at a time, and the largest hold some hundred thousand rows. */
const FREE_BYTES_MIN = 1024 ** 3
const TABLESPACE = 'memory'

/**
 * For test databases: a tablespace in memory. The hundreds of files of each database are created and
 * deleted without work for the disk. Null without such a file system or with too little space. The
 * tablespace of an earlier keeper is replaced.
 */
export async function createMemoryTablespace(
  connection: EmbeddedConnection,
  folder: string,
): Promise<string | null> {
  await dropMemoryTablespace(connection, folder)
  if (!(await hasMemory())) return null
  const place = getPlace(folder)
  await mkdir(place, { mode: 0o700 })
  const owner = await findOwner(join(folder, 'db'))
  if (owner !== undefined) await chown(place, owner.uid, owner.gid)
  await execute(connection, `create tablespace ${TABLESPACE} location '${place}'`)
  return TABLESPACE
}

/** Every database in it must have been dropped. */
export async function dropMemoryTablespace(
  connection: EmbeddedConnection,
  folder: string,
): Promise<void> {
  await execute(connection, `drop tablespace if exists ${TABLESPACE}`)
  await rm(getPlace(folder), { recursive: true, force: true })
}

function getPlace(folder: string): string {
  return join(MEMORY_FOLDER, basename(folder))
}

async function hasMemory(): Promise<boolean> {
  if (process.platform !== 'linux') return false
  const space = await statfs(MEMORY_FOLDER).catch(() => undefined)
  return space !== undefined && space.bavail * space.bsize >= FREE_BYTES_MIN
}

async function execute(connection: EmbeddedConnection, text: string): Promise<void> {
  const client = new pg.Client({ ...connection, database: 'postgres' })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}
