import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { StartRefused } from '../database/start-refused.ts'
import type { Values } from '../environment.ts'
import { isWeakSecret } from '../weak-secret.ts'
import { parseKey } from '../../lib/cipher.ts'

/** Where the keys that wrap the keys of documents come from. */
export type DocumentKeySource = { readonly keys: readonly Buffer[] } | { readonly file: string }

/** The keys of documents are never derived from SECRET_KEY, and never in DATA_DIR: a backup of it must not open documents. */
export function documentKeysOf(
  { KYC_KEY, KYC_KEY_FILE, DATA_DIR }: Values,
  production: boolean,
): DocumentKeySource {
  if (KYC_KEY !== undefined && KYC_KEY_FILE !== undefined)
    throw new StartRefused('KYC_KEY and KYC_KEY_FILE must not be set together.')
  if (KYC_KEY !== undefined) {
    if (production && KYC_KEY.some((key) => isWeakSecret(key)))
      throw new StartRefused(
        'KYC_KEY must be random when NODE_ENV is production, as openssl rand -base64 32 makes it.',
      )
    return { keys: KYC_KEY.map((key) => parseKey(key)!) }
  }
  if (production && (KYC_KEY_FILE === undefined || !existsSync(KYC_KEY_FILE)))
    throw new StartRefused(
      'KYC_KEY, or KYC_KEY_FILE with a readable file, must be set when NODE_ENV is production: without it documents of identity cannot be encrypted.',
    )
  const file = resolve(KYC_KEY_FILE ?? `${resolve(DATA_DIR!)}.kyc-key`)
  if (file.startsWith(`${resolve(DATA_DIR!)}/`))
    throw new StartRefused(
      'KYC_KEY_FILE must be outside of DATA_DIR: a copy of the data must not contain the key of the documents.',
    )
  return { file }
}
