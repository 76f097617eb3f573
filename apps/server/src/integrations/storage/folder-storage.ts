import { randomUUID } from 'node:crypto'
import { access, constants, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isStorageKey, type Storage } from './storage.ts'

/** The file names are random, but an account that can list the folder learns how many pictures there are. */
const OWNER_ONLY = 0o700

/** Stores files in a local folder, which the first write creates. */
export function createFolderStorage(folder: string): Storage {
  const toPath = (key: string) => {
    if (!isStorageKey(key))
      throw new Error(`Impossible: a storage key is created by the server, not ${key}`)
    return join(folder, key)
  }
  return {
    async put(key, bytes) {
      const path = toPath(key)
      await mkdir(dirname(path), { recursive: true, mode: OWNER_ONLY })
      const draft = `${path}.${randomUUID()}.draft`
      try {
        const file = await open(draft, 'wx', 0o600)
        try {
          await file.writeFile(bytes)
          // A stored file must survive a power cut.
          await file.sync()
        } finally {
          await file.close()
        }
        await rename(draft, path)
        await syncFolder(dirname(path))
      } catch (error) {
        await rm(draft, { force: true })
        throw error
      }
    },
    get: (key, part) =>
      unlessAbsent(async () => {
        if (part === undefined) return readFile(toPath(key))
        const file = await open(toPath(key))
        try {
          const bytes = Buffer.alloc(Math.max(0, part.end - part.start + 1))
          const { bytesRead } = await file.read(bytes, 0, bytes.length, part.start)
          return bytes.subarray(0, bytesRead)
        } finally {
          await file.close()
        }
      }),
    stream: (key) => unlessAbsent(async () => (await open(toPath(key))).createReadStream()),
    size: (key) => unlessAbsent(async () => (await stat(toPath(key))).size),
    delete: (key) => rm(toPath(key), { force: true }),
    async check() {
      await mkdir(folder, { recursive: true, mode: OWNER_ONLY })
      await access(folder, constants.W_OK)
    },
  }
}

/** After a power cut the file is there, but without this its name may not be. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

async function unlessAbsent<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
