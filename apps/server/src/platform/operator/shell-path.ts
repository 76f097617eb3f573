import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The kernel limits the path of a socket to 108 bytes on Linux, 104 elsewhere. */
const PATH_MAX_BYTES = 100

/** The path of the socket on which the running server receives operator commands. */
export function shellPath(dataDir: string): string {
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 12)
  if (process.platform === 'win32') return `\\\\.\\pipe\\duet-${name}`
  const near = join(dataDir, 'duet.sock')
  return Buffer.byteLength(near) <= PATH_MAX_BYTES ? near : join(tmpdir(), `duet-${name}.sock`)
}
