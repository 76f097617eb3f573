import { createCipheriv, createDecipheriv, randomBytes, randomFillSync } from 'node:crypto'
import { assert } from './assert.ts'

/** packet(key, value) = base64(iv[12] ‖ AES-256-GCM(key, iv, utf8(JSON(value))) ‖ tag[16]) */
const IV_BYTES = 12
const TAG_BYTES = 16
export const KEY_BYTES = 32

// Random bytes are drawn in blocks: one system call serves 341 packets.
const pool = Buffer.allocUnsafe(4092)
let poolUsed = pool.length
/** Valid until the next call, which may refill the block. */
function nextIv(): Buffer {
  if (poolUsed + IV_BYTES > pool.length) {
    randomFillSync(pool)
    poolUsed = 0
  }
  poolUsed += IV_BYTES
  return pool.subarray(poolUsed - IV_BYTES, poolUsed)
}

export function seal(key: Buffer, value: unknown): string {
  assert(key.length === KEY_BYTES, 'a packet key has 32 bytes')
  assert(value !== undefined && value !== null && value !== '', 'a packet is never empty')
  const iv = nextIv()
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  const body = cipher.update(JSON.stringify(value), 'utf8')
  cipher.final()
  const packet = Buffer.allocUnsafe(IV_BYTES + body.length + TAG_BYTES)
  packet.set(iv)
  packet.set(body, IV_BYTES)
  packet.set(cipher.getAuthTag(), IV_BYTES + body.length)
  return packet.toString('base64')
}

/** The value inside, or undefined when it cannot be read; `longest` bounds the decoded JSON in bytes. */
export function open(key: Buffer, packet: unknown, longest: number): unknown {
  if (
    typeof packet !== 'string' ||
    packet.length > Math.ceil(((longest + IV_BYTES + TAG_BYTES) * 4) / 3) + 4
  )
    return undefined
  const bytes = Buffer.from(packet, 'base64')
  const end = bytes.length - TAG_BYTES
  if (end <= IV_BYTES || end - IV_BYTES > longest) return undefined
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES))
    decipher.setAuthTag(bytes.subarray(end))
    const plain = decipher.update(bytes.subarray(IV_BYTES, end))
    decipher.final()
    return JSON.parse(plain.toString())
  } catch {
    return undefined
  }
}

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
