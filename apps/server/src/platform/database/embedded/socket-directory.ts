import { createHash } from 'node:crypto'
import { chown, lstat, mkdir, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { StartRefused } from '../../../lib/configuration/start-refused.ts'
import type { SystemUser } from './system-user.ts'

/** Used only in the name of the socket file: no port is opened. */
export const SOCKET_NUMBER = 5432
const SOCKET_PATH_MAX_BYTES = 100

/** Creates a folder for the socket that only the database's account may enter. Its path is short enough for a socket. */
export async function socketFolder(home: string, user: SystemUser | undefined): Promise<string> {
  const near = join(home, 'db-socket')
  const short = join(
    tmpdir(),
    `duet-${createHash('sha256').update(home).digest('hex').slice(0, 12)}`,
  )
  const folder =
    Buffer.byteLength(join(near, `.s.PGSQL.${SOCKET_NUMBER}`)) <= SOCKET_PATH_MAX_BYTES
      ? near
      : resolve(short)
  const isCreated = await mkdir(folder, { mode: 0o700 }).then(
    () => true,
    () => false,
  )
  // Only a folder that this call created changes its owner: in a shared folder the name could be a link to elsewhere.
  if (isCreated && user !== undefined) await chown(folder, user.uid, user.gid)
  const { uid } = await lstat(folder)
  const expected = user?.uid ?? process.getuid?.()
  if (expected !== undefined && uid !== expected)
    throw new StartRefused(
      `${folder} belongs to another account: remove it, or set DATA_DIR to another folder.`,
    )
  return folder
}

/**
 * Removes the socket files of a killed PostgreSQL. If its process id is used again, or its process is a
 * zombie, a new PostgreSQL would take the id for a running server. Only the holder of the data folder's
 * lock may call this, after `stopOrphan`.
 */
export async function clearSocket(folder: string): Promise<void> {
  for (const left of ['', '.lock'])
    await rm(join(folder, `.s.PGSQL.${SOCKET_NUMBER}${left}`), { force: true })
}

/** A port of the loopback that is free at this moment. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  await new Promise((done) => server.close(done))
  if (address === null || typeof address === 'string')
    throw new Error('the system assigned no port')
  return address.port
}
