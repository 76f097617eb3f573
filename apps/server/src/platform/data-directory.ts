import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Files that only Duet creates: a directory with one of them is no directory that others share. */
const OWN_FILES = ['db', 'secret.key', 'files']

/**
 * Creates DATA_DIR, closed to other accounts: the names of its files tell who has pictures. Root's directory can be passed
 * through, not listed, because PostgreSQL runs as an account of its own. An existing one is closed too if it is ours.
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
