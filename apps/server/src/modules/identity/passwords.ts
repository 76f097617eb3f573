import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { refuse } from '../../lib/refusal.ts'
import { createSemaphore } from '../../lib/semaphore.ts'

/** Argon2id, 19 MiB, t 2, p 1 (OWASP's figures). Two at a time, so that a flood of logins does not stop the house. */
const hash = promisify(argon2)
const cost = { parallelism: 1, tagLength: 32, memory: 19_456, passes: 2 }
const turns = createSemaphore({ at_once: 2, waiting_max: 50 })

/** Stored where nobody knows a password, because there is none. */
export const no_password = 'none'

function digest(password: string, salt: Buffer): Promise<Buffer> {
  const made = turns.run(() =>
    hash('argon2id', { message: password.normalize('NFC'), nonce: salt, ...cost }),
  )
  return made ?? refuse('too_many', { retry_after: 5 })
}

/** `argon2id$memory$passes$salt$digest`, so that a later cost can be told from this one. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const made = await digest(password, salt)
  return [
    'argon2id',
    cost.memory,
    cost.passes,
    salt.toString('base64url'),
    made.toString('base64url'),
  ].join('$')
}

const nobody = randomBytes(16)

/** Whether the password is right. Without a stored hash the same work is done, so that time does not tell who exists. */
export async function verifyPassword(
  password: string,
  stored: string | null | undefined,
): Promise<boolean> {
  const [, , , salt, right] = stored?.split('$') ?? []
  const made = await digest(password, salt === undefined ? nobody : Buffer.from(salt, 'base64url'))
  return right !== undefined && timingSafeEqual(made, Buffer.from(right, 'base64url'))
}
