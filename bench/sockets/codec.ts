import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { open, seal } from '@duet/server/lib/cipher.ts'
import { median } from '../figures/median.ts'

const ROUNDS = 7
const ROUND_TRIPS = 20_000
const FRAME_BYTES_MAX = 64 * 1024

/** A small packet opened and its answer sealed, JSON and base64 included, beside node:crypto on the same bytes alone. */
export function compareCodec(): void {
  const key = randomBytes(32)
  const asked = { action: 'TYPING', data: { dialogId: 123_456 } }
  const answered = { data: { dialogId: 123_456 } }
  const packet = seal(key, asked)
  const product = () => {
    open(key, packet, FRAME_BYTES_MAX)
    seal(key, answered)
  }
  const iv = randomBytes(12)
  const plain = Buffer.from(JSON.stringify(answered))
  const sealing = createCipheriv('aes-256-gcm', key, iv)
  const sealed = Buffer.concat([sealing.update(JSON.stringify(asked)), sealing.final()])
  const tag = sealing.getAuthTag()
  const bare = () => {
    const decipher = createDecipheriv('aes-256-gcm', key, iv)
    decipher.setAuthTag(tag)
    decipher.update(sealed)
    decipher.final()
    const cipher = createCipheriv('aes-256-gcm', key, iv)
    cipher.update(plain)
    cipher.final()
    cipher.getAuthTag()
  }
  const found = { product: [] as number[], bare: [] as number[] }
  for (let round = -1; round < ROUNDS; round += 1) {
    const took = { bare: microseconds(bare), product: microseconds(product) }
    // The first round warms.
    if (round < 0) continue
    found.bare.push(took.bare)
    found.product.push(took.product)
  }
  const [base, ours] = [median(found.bare), median(found.product)]
  console.log(
    `  packet opened and answered: ${ours.toFixed(1)} µs = ${(ours / base).toFixed(2)}x of node:crypto alone, ${base.toFixed(1)} µs (must 1.5x, aim 1.15x)`,
  )
}

/** CPU time of this process: other work of the machine does not count. */
function microseconds(run: () => void): number {
  const before = process.cpuUsage()
  for (let times = 0; times < ROUND_TRIPS; times += 1) run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / ROUND_TRIPS
}
