import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Sockets have short names: the kernel's limit is 108 bytes on Linux, 104 elsewhere. */
const PATH_MAX_BYTES = 100

/** Where the running server listens to its operator. */
export function shellPath(dataDir: string): string {
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 12)
  if (process.platform === 'win32') return `\\\\.\\pipe\\duet-${name}`
  const near = join(dataDir, 'duet.sock')
  return Buffer.byteLength(near) <= PATH_MAX_BYTES ? near : join(tmpdir(), `duet-${name}.sock`)
}
