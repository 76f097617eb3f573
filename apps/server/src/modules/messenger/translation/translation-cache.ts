import { createHmac } from 'node:crypto'
import type { LocaleName } from '@duet/protocol'
import type { App } from '../../../core/app.ts'
import type { Translation } from '../../../integrations/translation/translation.ts'
import { openBytes, sealBytes } from '../../../lib/cipher.ts'
import { keyFor } from '../../../lib/derived-key.ts'
import * as store from './translation-store.ts'

const KEY_BYTES = 32

/** Where the translation of one text into one language is stored, and the key that opens it: only the text leads to both. */
export interface CachePlace {
  readonly key: string
  readonly secret: Buffer
}

export function cachePlace({ config }: App, text: string, to: LocaleName): CachePlace {
  const digest = createHmac('sha512', keyFor(config, 'translations'))
    .update(`${to}\0${text}`)
    .digest()
  return {
    key: digest.subarray(0, KEY_BYTES).toString('base64url'),
    secret: digest.subarray(KEY_BYTES),
  }
}

export async function cachedTranslation(
  app: App,
  { key, secret }: CachePlace,
): Promise<Translation | undefined> {
  const sealed = await store.sealedTranslation(app.db, key)
  const opened = sealed && openBytes(secret, sealed, key)
  return opened && (JSON.parse(opened.toString()) as Translation)
}

export async function cacheTranslation(
  app: App,
  { key, secret }: CachePlace,
  translation: Translation,
): Promise<void> {
  const sealed = sealBytes(secret, Buffer.from(JSON.stringify(translation)), key)
  await app.transact((tx) => store.insertTranslation(tx, key, sealed))
}
