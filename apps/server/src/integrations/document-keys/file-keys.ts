import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { KEY_BYTES, parseKey } from '../../lib/cipher.ts'
import { type DocumentKeys, wrapBy } from './document-keys.ts'

const OWNER_ONLY = 0o600
const RIGHTS_OF_OTHERS = 0o077

/**
 * Keys in a file that only the server's account may read: one key on each line, the current key first. The
 * first use creates the file, unless `must_exist`. If another server process replaces the file, it is read
 * again.
 */
export function createFileKeys(
  file: string,
  { must_exist }: { must_exist: boolean },
): DocumentKeys {
  let read: { readonly stamp: string; readonly keys: readonly Buffer[] } | undefined
  const keys = () => {
    const stamp = findStamp(file) ?? (must_exist ? undefined : createKeys(file))
    if (read === undefined || read.stamp !== stamp)
      read = { stamp: stamp ?? '', keys: readKeys(file) }
    return read.keys
  }
  return {
    ...wrapBy(keys),
    rotate: () => replaceKeys(file, [randomBytes(KEY_BYTES), ...keys()]),
    dropFormer() {
      replaceKeys(file, keys().slice(0, 1))
      return true
    },
  }
}

/** Changes when the file is replaced. Undefined without a file. */
function findStamp(file: string): string | undefined {
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats && `${stats.ino} ${stats.mtimeMs}`
}

function createKeys(file: string): string | undefined {
  const draft = writeDraft(file, [randomBytes(KEY_BYTES)])
  try {
    // Unlike a renamed file, a link does not replace the file of a server process that was faster.
    linkSync(draft, file)
    syncFolder(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
  return findStamp(file)
}

function readKeys(file: string): readonly Buffer[] {
  if (process.platform !== 'win32' && (statSync(file).mode & RIGHTS_OF_OTHERS) !== 0)
    throw new Error(`${file} must be readable by its owner only (chmod 600)`)
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
  const keys = lines.flatMap((line) => parseKey(line) ?? [])
  if (keys.length === 0 || keys.length !== lines.length)
    throw new Error(`${file} must have one key of 32 bytes in base64 on each line`)
  return keys
}

/** Writes the whole new file or nothing: a crash before the end leaves the former file. */
function replaceKeys(file: string, keys: readonly Buffer[]): void {
  renameSync(writeDraft(file, keys), file)
  syncFolder(file)
}

/** The name of the file must survive a power cut too: documents may be wrapped by its key a moment later. */
function syncFolder(file: string): void {
  if (process.platform === 'win32') return
  const folder = openSync(dirname(file), 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

function writeDraft(file: string, keys: readonly Buffer[]): string {
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  const opened = openSync(draft, 'wx', OWNER_ONLY)
  try {
    writeSync(opened, keys.map((key) => `${key.toString('base64url')}\n`).join(''))
    fsyncSync(opened)
  } finally {
    closeSync(opened)
  }
  return draft
}
