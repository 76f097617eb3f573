import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { StartRefused } from '../../lib/configuration/start-refused.ts'

/** The kernel limits the path of a socket to 108 bytes on Linux, 104 elsewhere. */
const PATH_MAX_BYTES = 100
const OTHERS = 0o077

/** The path of the socket on which the running server receives operator commands. */
export function shellPath(dataDir: string): string {
  const name = `duet-${createHash('sha256').update(dataDir).digest('hex').slice(0, 12)}`
  if (process.platform === 'win32') return `\\\\.\\pipe\\${name}`
  const near = join(dataDir, 'duet.sock')
  return Buffer.byteLength(near) <= PATH_MAX_BYTES ? near : join(tmpdir(), name, 'duet.sock')
}

/** Creates the directory of a socket that is not in DATA_DIR. @throws StartRefused when another account has it */
export function ensureShellDirectory(dataDir: string): void {
  const directory = sharedParent(dataDir)
  if (directory === undefined) return
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  refuseForeignShell(dataDir)
}

/**
 * Every account can create a directory with this predictable name in the shared directory. Its owner would
 * receive what the operator types, passwords included. So both sides use the socket only if the directory
 * belongs to their own account.
 */
export function refuseForeignShell(dataDir: string): void {
  const directory = sharedParent(dataDir)
  const found = directory && lstatSync(directory, { throwIfNoEntry: false })
  if (!found) return
  if (!found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & OTHERS) !== 0)
    throw new StartRefused(
      `${directory} belongs to another account or is open to others: remove it, or set DATA_DIR to a shorter path.`,
    )
}

/** The directory of the socket where it is below the shared directory for temporary files. */
function sharedParent(dataDir: string): string | undefined {
  const directory = dirname(shellPath(dataDir))
  return process.platform === 'win32' || directory === dataDir ? undefined : directory
}
