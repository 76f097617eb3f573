import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Files that only Duet creates: a directory with one of them is no directory that others share. */
const OWN_FILES = ['db', 'secret.key', 'files']

/**
 * Creates DATA_DIR without access for other accounts, because its file names show which users have
 * pictures. If root runs the server, other accounts can enter the directory but not list it, because
 * PostgreSQL runs as another account. The access to an existing directory of Duet is restricted too.
 */
export function ensureDataDirectory(dataDir: string): void {
  if (process.platform === 'win32') return void mkdirSync(dataDir, { recursive: true })
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700
  const created = mkdirSync(dataDir, { recursive: true, mode })
  if (created !== undefined) return
  const existing = statSync(dataDir)
  const isOurs =
    existing.uid === process.getuid?.() && OWN_FILES.some((name) => existsSync(join(dataDir, name)))
  const closed = existing.mode & 0o777 & mode
  if (isOurs && closed !== (existing.mode & 0o777)) chmodSync(dataDir, closed)
}
