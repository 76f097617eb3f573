import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import {
  type AuthenticationResponseJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import type { PasskeyAnswer } from '@duet/protocol'
import type { AppContext, Tx } from '../../../core/app.ts'
import { keyFor } from '../../../lib/derived-key.ts'
import { hashToken } from '../../../lib/ids.ts'
import { officeOrigins } from '../../../platform/http/office-origin.ts'
import { recordPasskey } from '../../client-signals/index.ts'
import type { FactorOwner } from './one-time-codes.ts'
import { passkeyById, type PasskeyRow, recordPasskeyUse, useChallenge } from './factors-store.ts'

export const CHALLENGE_MINUTES = 5
const NONCE_BYTES = 16
const TIME_BYTES = 6
const MAC_BYTES = 16

/** To prove the own account, or to add a passkey to the account of this owner. */
export type ChallengePurpose = 'prove' | 'staff prove' | `add ${FactorOwner}`

/**
 * A challenge that the server recognises without having stored it: random bytes and the time of its end,
 * signed for one purpose. So challenges need no limit.
 */
export function newChallenge(app: AppContext, purpose: ChallengePurpose): Buffer {
  const body = Buffer.alloc(NONCE_BYTES + TIME_BYTES)
  randomBytes(NONCE_BYTES).copy(body)
  const until = app.clock.now().add({ minutes: CHALLENGE_MINUTES })
  body.writeUIntBE(until.epochMilliseconds, NONCE_BYTES, TIME_BYTES)
  return Buffer.concat([body, computeMac(app, purpose, body)])
}

function computeMac(app: AppContext, purpose: ChallengePurpose, body: Buffer): Buffer {
  return createHmac('sha256', keyFor(app.config, 'passkey challenges'))
    .update(`${purpose}\n`)
    .update(body)
    .digest()
    .subarray(0, MAC_BYTES)
}

/** The end of a challenge of this server; undefined for any other, or after its end. */
function endOfChallenge(
  app: AppContext,
  purpose: ChallengePurpose,
  challenge: string,
): Temporal.Instant | undefined {
  const bytes = Buffer.from(challenge, 'base64url')
  const body = bytes.subarray(0, NONCE_BYTES + TIME_BYTES)
  const mac = bytes.subarray(NONCE_BYTES + TIME_BYTES)
  if (mac.length !== MAC_BYTES || !timingSafeEqual(mac, computeMac(app, purpose, body)))
    return undefined
  const end = Temporal.Instant.fromEpochMilliseconds(body.readUIntBE(NONCE_BYTES, TIME_BYTES))
  return Temporal.Instant.compare(app.clock.now(), end) < 0 ? end : undefined
}

/**
 * The domain of passkeys: the domain of the first origin that is no IP address, because a passkey cannot
 * have an IP address. After a change of the domain, browsers do not find the former passkeys.
 */
export function passkeyDomain(app: AppContext, purpose: ChallengePurpose): string {
  const hosts = passkeyOrigins(app, purpose).map((origin) => new URL(origin).hostname)
  return hosts.find((host) => isIP(host.replaceAll(/[[\]]/g, '')) === 0) ?? hosts[0] ?? 'localhost'
}

/** Staff use theirs in the office. */
function passkeyOrigins({ config }: AppContext, purpose: ChallengePurpose): readonly string[] {
  const isStaff = purpose === 'staff prove' || purpose.startsWith('add staff ')
  return isStaff ? officeOrigins(config) : config.origins
}

/**
 * Undefined unless the answer is a valid answer to a challenge of this purpose. Of repeated uses only the
 * first is accepted.
 */
async function useAnswer<Verified extends { verified: boolean }>(
  tx: Tx,
  purpose: ChallengePurpose,
  verify: (expected: {
    expectedChallenge: (challenge: string) => boolean
    expectedOrigin: string[]
    expectedRPID: string
    requireUserVerification: true
  }) => Promise<Verified>,
): Promise<Verified | undefined> {
  let used: { hash: Buffer; end: Temporal.Instant } | undefined
  const verified = await verify({
    expectedChallenge(challenge) {
      const end = endOfChallenge(tx.app, purpose, challenge)
      if (end) used = { hash: hashToken(challenge), end }
      return end !== undefined
    },
    expectedOrigin: [...passkeyOrigins(tx.app, purpose)],
    expectedRPID: passkeyDomain(tx.app, purpose),
    // A passkey stands for both factors: having the device, and the finger or code that unlocks it.
    requireUserVerification: true,
  }).catch((error: unknown) => {
    // The library throws for everything in an answer that does not fit.
    tx.app.log.debug({ err: error }, 'the answer of a passkey was not accepted')
  })
  if (!verified?.verified || !used) return undefined
  return (await useChallenge(tx, used.hash, used.end)) ? verified : undefined
}

/** The new passkey that an answer to the challenge of this owner has; undefined for a wrong answer. */
export async function newPasskeyFrom(tx: Tx, owner: FactorOwner, answer: PasskeyAnswer) {
  const verified = await useAnswer(tx, `add ${owner}`, (expected) =>
    verifyRegistrationResponse({
      ...expected,
      response: answer as unknown as RegistrationResponseJSON,
    }),
  )
  return verified?.verified ? verified.registrationInfo.credential : undefined
}

/** The passkey of an answer, whose use is recorded; undefined for a wrong answer. */
export async function usePasskey(tx: Tx, answer: PasskeyAnswer): Promise<PasskeyRow | undefined> {
  const row = await passkeyById(tx, answer.id)
  if (!row) return undefined
  const counter = await counterOfAnswer(tx, 'prove', row, answer)
  if (counter === undefined) return undefined
  await recordPasskeyUse(tx, row.passkey_id, counter)
  await recordPasskey(tx, row.user_id, row.passkey_id)
  return row
}

/** The new use counter of a passkey, by its answer to a challenge of this purpose; undefined for a wrong answer. */
export async function counterOfAnswer(
  tx: Tx,
  purpose: ChallengePurpose,
  row: Pick<PasskeyRow, 'passkey_id' | 'public_key' | 'counter'>,
  answer: PasskeyAnswer,
): Promise<number | undefined> {
  const verified = await useAnswer(tx, purpose, (expected) =>
    verifyAuthenticationResponse({
      ...expected,
      response: answer as unknown as AuthenticationResponseJSON,
      credential: {
        id: row.passkey_id,
        publicKey: new Uint8Array(row.public_key),
        counter: Number(row.counter),
      },
    }),
  )
  return verified?.authenticationInfo.newCounter
}
