import { createCipheriv, createDecipheriv, randomFillSync } from 'node:crypto'
import { assert } from './assert.ts'

/** packet(key, value) = base64(iv[12] ‖ AES-256-GCM(key, iv, utf8(JSON(value))) ‖ tag[16]); `wire.md` section 2. */
const iv_bytes = 12
const tag_bytes = 16
export const key_bytes = 32

// Random bytes are drawn in blocks: one system call serves 341 packets.
const pool = Buffer.allocUnsafe(4092)
let pool_used = pool.length
/** Good until the next call: the block is drawn anew under it. */
function nextIv(): Buffer {
  if (pool_used + iv_bytes > pool.length) {
    randomFillSync(pool)
    pool_used = 0
  }
  pool_used += iv_bytes
  return pool.subarray(pool_used - iv_bytes, pool_used)
}

export function seal(key: Buffer, value: unknown): string {
  assert(key.length === key_bytes, 'a packet key has 32 bytes')
  assert(value !== undefined && value !== null && value !== '', 'a packet is never empty')
  const iv = nextIv()
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  const body = cipher.update(JSON.stringify(value), 'utf8')
  cipher.final()
  const packet = Buffer.allocUnsafe(iv_bytes + body.length + tag_bytes)
  packet.set(iv)
  packet.set(body, iv_bytes)
  packet.set(cipher.getAuthTag(), iv_bytes + body.length)
  return packet.toString('base64')
}

/** The value inside, or undefined when it cannot be read; `longest` bounds the decoded JSON in bytes. */
export function open(key: Buffer, packet: unknown, longest: number): unknown {
  if (
    typeof packet !== 'string' ||
    packet.length > Math.ceil(((longest + iv_bytes + tag_bytes) * 4) / 3) + 4
  )
    return undefined
  const bytes = Buffer.from(packet, 'base64')
  const end = bytes.length - tag_bytes
  if (end <= iv_bytes || end - iv_bytes > longest) return undefined
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, iv_bytes))
    decipher.setAuthTag(bytes.subarray(end))
    const plain = decipher.update(bytes.subarray(iv_bytes, end))
    decipher.final()
    return JSON.parse(plain.toString())
  } catch {
    return undefined
  }
}
