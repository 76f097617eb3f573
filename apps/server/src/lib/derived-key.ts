import { hkdfSync } from 'node:crypto'

const KEY_BYTES = 32
type Secret = Readonly<Record<'secret_key', string>>
const derivedKeys = new WeakMap<Secret, Map<string, Buffer>>()

/** A key for one purpose, derived from SECRET_KEY: a leak of one key reveals nothing about another. */
export function keyFor(config: Secret, purpose: string): Buffer {
  let keys = derivedKeys.get(config)
  if (!keys) derivedKeys.set(config, (keys = new Map()))
  let key = keys.get(purpose)
  if (!key) {
    key = Buffer.from(hkdfSync('sha256', config.secret_key, 'duet', purpose, KEY_BYTES))
    keys.set(purpose, key)
  }
  return key
}
