import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { assert } from './assert.ts'
import { KEY_BYTES } from './cipher.ts'

const IV_BYTES = 12
const TAG_BYTES = 16

/**
 * iv[12] ‖ AES-256-GCM(key, iv, bytes) ‖ tag[16]. `place` names where the bytes belong: they cannot be opened as those of
 * another place.
 */
export function sealBytes(key: Uint8Array, bytes: Uint8Array, place: string): Buffer {
  assert(key.length === KEY_BYTES, 'a key has 32 bytes')
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(place))
  return Buffer.concat([iv, cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
}

/** The bytes inside; undefined when they were changed, or belong to another key or place. */
export function openBytes(key: Uint8Array, sealed: Uint8Array, place: string): Buffer | undefined {
  const end = sealed.length - TAG_BYTES
  if (end < IV_BYTES) return undefined
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, IV_BYTES))
    decipher.setAAD(Buffer.from(place)).setAuthTag(sealed.subarray(end))
    return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES, end)), decipher.final()])
  } catch {
    return undefined
  }
}

/** 32 bytes in base64url, base64 or hex; undefined for any other text. */
export function parseKey(text: string): Buffer | undefined {
  const trimmed = text.trim()
  if (/^[0-9a-f]{64}$/i.test(trimmed)) return Buffer.from(trimmed, 'hex')
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(trimmed)) return undefined
  const key = Buffer.from(trimmed, 'base64')
  return key.length === KEY_BYTES ? key : undefined
}
