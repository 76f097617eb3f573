import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { refuse } from '../../lib/refusal.ts'

/** Argon2id, 19 MiB, t 2, p 1 (OWASP's figures). Two at a time, so that a flood of logins does not stop the house. */
const hash = promisify(argon2)
const cost = { parallelism: 1, tagLength: 32, memory: 19_456, passes: 2 }
const at_once = 2
const longest_queue = 50

let running = 0
const queue: (() => void)[] = []

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= at_once) {
    if (queue.length >= longest_queue) refuse('too_many', { retry_after: 5 })
    await new Promise<void>((go) => queue.push(go))
  }
  running += 1
  try {
    return await work()
  } finally {
    running -= 1
    queue.shift()?.()
  }
}

function digest(password: string, salt: Buffer): Promise<Buffer> {
  return inTurn(() => hash('argon2id', { message: password.normalize('NFC'), nonce: salt, ...cost }))
}

/** `argon2id$memory$passes$salt$digest`, so that a later cost can be told from this one. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const made = await digest(password, salt)
  return ['argon2id', cost.memory, cost.passes, salt.toString('base64url'), made.toString('base64url')].join('$')
}

const nobody = randomBytes(16)

/** Whether the password is right. Without a stored hash the same work is done, so that time does not tell who exists. */
export async function verifyPassword(password: string, stored: string | null | undefined): Promise<boolean> {
  const parts = stored?.split('$')
  const made = await digest(password, parts ? Buffer.from(parts[3]!, 'base64url') : nobody)
  return parts !== undefined && timingSafeEqual(made, Buffer.from(parts[4]!, 'base64url'))
}
