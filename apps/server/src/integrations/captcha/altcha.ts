import { createHash } from 'node:crypto'
import { createChallenge, verifySolution, type Payload } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { z } from 'zod'
import type { CaptchaBinding, CaptchaProvider, CaptchaVerdict } from './captcha.ts'

/** A page that slept for less than this still has a challenge that holds. */
const LIFETIME_SECONDS = 600
/**
 * The first byte of the derived key must be zero: 256 derivations on average. Creating a challenge derives
 * no key, and verifying a solution derives a single key. So the server works 256 times less than the
 * client.
 */
const KEY_PREFIX = '00'
const ALGORITHM = 'PBKDF2/SHA-256'

const ChallengeData = z.object({
  purpose: z.string(),
  session: z.string(),
  expires_s: z.number(),
})
/** The widget's own test mode sends nulls: no solution. */
const SolvedPayload = z.object({
  challenge: z.object({
    parameters: z.looseObject({ data: ChallengeData }),
    signature: z.string().regex(/^[0-9a-f]{64}$/),
  }),
  solution: z.object({ counter: z.number(), derivedKey: z.string() }),
})

export interface AltchaOptions {
  readonly secret: Buffer
  /** Rounds of each derivation: the work of the browser, 256 times on average. */
  readonly rounds: number
  readonly now: () => Temporal.Instant
}

/** Proof of work, verified in this process. A challenge is signed; nothing is stored about it before it is solved. */
export function createAltcha({ secret, rounds, now }: AltchaOptions): CaptchaProvider {
  const hmacSignatureSecret = secret.toString('base64url')
  return {
    kind: 'altcha',
    public_key: undefined,
    async issue({ purpose, session }: CaptchaBinding) {
      const expiresSeconds = Math.floor(now().epochMilliseconds / 1000) + LIFETIME_SECONDS
      const challenge = await createChallenge({
        algorithm: ALGORITHM,
        cost: rounds,
        keyPrefix: KEY_PREFIX,
        deriveKey,
        hmacSignatureSecret,
        // Not `expiresAt`: the library compares it with the machine's clock, not with the app's.
        data: { purpose, session, expires_s: expiresSeconds },
      })
      return { kind: 'altcha', challenge }
    },
    async verify(payload, { session }): Promise<CaptchaVerdict> {
      const solved = readAltcha(payload)
      if (!solved) return { ok: false, reason: 'invalid' }
      const { data } = solved.challenge.parameters
      // Before the key is derived: these cost nothing, and a changed value fails at the signature.
      if (data.expires_s * 1000 <= now().epochMilliseconds) return { ok: false, reason: 'expired' }
      if (data.session !== session) return { ok: false, reason: 'foreign' }
      const { challenge, solution } = solved as unknown as Payload
      const { verified } = await verifySolution({
        challenge,
        solution,
        deriveKey,
        hmacSignatureSecret,
      })
      if (!verified) return { ok: false, reason: 'invalid' }
      return {
        ok: true,
        purpose: data.purpose,
        once_key: createHash('sha256').update(solved.challenge.signature).digest('base64url'),
        expires_at: Temporal.Instant.fromEpochMilliseconds(data.expires_s * 1000),
      }
    },
  }
}

/** Whether a payload has the form of ALTCHA's payloads, correct or not. */
export function isAltcha(payload: string): boolean {
  return jsonIn(payload) !== undefined
}

function readAltcha(payload: string): z.output<typeof SolvedPayload> | undefined {
  return SolvedPayload.safeParse(jsonIn(payload)).data
}

function jsonIn(payload: string): unknown {
  try {
    return JSON.parse(Buffer.from(payload, 'base64').toString('utf8'))
  } catch {
    return undefined
  }
}
