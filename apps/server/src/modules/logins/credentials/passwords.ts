import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { limits } from '@duet/protocol'
import { isNormalizable } from '@duet/protocol/kernel/primitives.ts'
import { refuse } from '../../../lib/refusal.ts'
import { createSemaphore } from '../../../lib/semaphore.ts'

const hash = promisify(argon2)
/** Argon2id, 19 MiB, t 2, p 1 (OWASP's figures). */
const COST = { parallelism: 1, tagLength: 32, memory: 19_456, passes: 2 }
/**
 * Few hashes run at a time, so that many logins at once do not take all processor time. Logins from
 * networks that the owner used before have a separate queue, which guesses from elsewhere cannot fill. So do staff, in such
 * networks and in open sessions: users have networks of their own accounts.
 */
const lanes = {
  public: createSemaphore({ at_once: 2, waiting_max: 50 }),
  known: createSemaphore({ at_once: 1, waiting_max: 50 }),
  staff: createSemaphore({ at_once: 1, waiting_max: 50 }),
}
export type HashLane = keyof typeof lanes

/** Stored for a member without a password. */
export const NO_PASSWORD = 'none'

/**
 * The bytes to hash. A password that no rule would accept is hashed unchanged: it is wrong anyway, and
 * normalising it could take long.
 */
function getBytes(password: string): string {
  return isNormalizable(password, limits.password_characters) ? password.normalize('NFC') : password
}

function digest(
  password: string,
  { salt, cost = COST }: { salt: Buffer; cost?: typeof COST },
  lane: HashLane,
): Promise<Buffer> {
  const made = lanes[lane].run(() =>
    hash('argon2id', { message: getBytes(password), nonce: salt, ...cost }),
  )
  return made ?? refuse('too_many', { retry_after: 5 })
}

/** `argon2id$memory$passes$salt$digest`: a stored password is verified with the cost of its day. */
export async function hashPassword(password: string, lane: HashLane): Promise<string> {
  const salt = randomBytes(16)
  const made = await digest(password, { salt }, lane)
  return [
    'argon2id',
    COST.memory,
    COST.passes,
    salt.toString('base64url'),
    made.toString('base64url'),
  ].join('$')
}

/** The salt for users that do not exist. */
const UNUSED_SALT = randomBytes(16)

/** Whether the password is correct. Without a stored hash the same work is done, so that the time does not show which users exist. */
export async function verifyPassword(
  password: string,
  stored: string | null | undefined,
  lane: HashLane,
): Promise<boolean> {
  const [, memory, passes, salt, expected] = stored?.split('$') ?? []
  const made = await digest(
    password,
    salt === undefined
      ? { salt: UNUSED_SALT }
      : {
          salt: Buffer.from(salt, 'base64url'),
          cost: { ...COST, memory: Number(memory), passes: Number(passes) },
        },
    lane,
  )
  return expected !== undefined && timingSafeEqual(made, Buffer.from(expected, 'base64url'))
}
