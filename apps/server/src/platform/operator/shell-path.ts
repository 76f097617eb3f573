import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Sockets have short names: the kernel's limit is 108 bytes on Linux, 104 elsewhere. */
const path_bytes_max = 100

/** Where the running server listens to its operator. */
export function shellPath(data_dir: string): string {
  const name = createHash('sha256').update(data_dir).digest('hex').slice(0, 12)
  if (process.platform === 'win32') return `\\\\.\\pipe\\duet-${name}`
  const near = join(data_dir, 'duet.sock')
  return Buffer.byteLength(near) <= path_bytes_max ? near : join(tmpdir(), `duet-${name}.sock`)
}
