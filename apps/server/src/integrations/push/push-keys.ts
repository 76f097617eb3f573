import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { PushKeys } from './push.ts'

/**
 * The keys in a file that the first start creates. Browsers are bound to the public key. If the keys
 * change, messages reach a browser only after its user visits again.
 */
export function readOrCreatePushKeys(file: string, create: () => PushKeys): PushKeys {
  if (existsSync(file)) return read(file)
  const keys = create()
  try {
    writeFileSync(file, `${JSON.stringify(keys)}\n`, { mode: 0o600, flag: 'wx' })
    return keys
  } catch (error) {
    // Another process was faster.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return read(file)
    throw error
  }
}

function read(file: string): PushKeys {
  return JSON.parse(readFileSync(file, 'utf8')) as PushKeys
}
