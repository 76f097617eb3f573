import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'
import { parseKey } from '../../lib/cipher.ts'
import { StartRefused } from '../../lib/configuration/start-refused.ts'
import { type Installation, list, text, type Values } from '../../lib/configuration/variables.ts'
import { isWeakSecret } from '../../lib/configuration/weak-secret.ts'

export const DOCUMENT_KEYS_VARIABLES = {
  KYC_KEY: list(
    '32 random bytes in base64 or hex, or several of them with commas between',
    z.string().regex(/^([0-9a-fA-F]{64}|[A-Za-z0-9+/_-]{43}=?)$/),
  ).meta({
    secret: true,
    description:
      'The keys that wrap the keys of identity documents, the current one first; the others still open what they wrapped. They must be in no backup of the database.',
  }),
  KYC_KEY_FILE: text('a file').meta({
    secret: true,
    description:
      'A file with those keys, one on each line, readable by the server’s account only; `duet verification rotate-key` renews it. Production needs KYC_KEY or this. Default elsewhere: DATA_DIR with `.kyc-key` at its end, created at the first use.',
  }),
}

/** The keys of documents are never derived from SECRET_KEY, and never in DATA_DIR: a backup of it must not open documents. */
export function readDocumentKeys(
  { KYC_KEY, KYC_KEY_FILE }: Values<typeof DOCUMENT_KEYS_VARIABLES>,
  { production, data_dir }: Installation,
): { readonly keys: readonly Buffer[] } | { readonly file: string } {
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
  const file = resolve(KYC_KEY_FILE ?? `${data_dir}.kyc-key`)
  if (file.startsWith(`${data_dir}/`))
    throw new StartRefused(
      'KYC_KEY_FILE must be outside of DATA_DIR: a copy of the data must not contain the key of the documents.',
    )
  return { file }
}
