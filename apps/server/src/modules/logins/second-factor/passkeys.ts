import { createHmac } from 'node:crypto'
import { generateAuthenticationOptions, generateRegistrationOptions } from '@simplewebauthn/server'
import type { Answer, Body, Passkey } from '@duet/protocol'
import type { App } from '../../../core/app.ts'
import type { Member, Viewer } from '../../../core/viewer.ts'
import { wireTime } from '../../../lib/clock.ts'
import { keyFor } from '../../../lib/derived-key.ts'
import { refuse } from '../../../lib/refusal.ts'
import type { FactorOwner } from './one-time-codes.ts'
import { confirmOwner } from './confirm-owner.ts'
import { lockOpenLogin } from '../devices/lock-login.ts'
import { recordPasskey } from '../../client-signals/index.ts'
import { userById } from '../../identity/index.ts'
import { addPasskey, type PasskeyRow, readPasskeys, removePasskeys } from './factors-store.ts'
import {
  CHALLENGE_MINUTES,
  newChallenge,
  newPasskeyFrom,
  passkeyDomain,
} from './passkey-answers.ts'
import { announceFactors } from './totp.ts'

/** COSE numbers of the signatures that a passkey may make. */
const [ED25519, ES256, RS256] = [-8, -7, -257] as const
const PASSKEYS_MAX = 10
const TIMEOUT_MS = CHALLENGE_MINUTES * 60_000

/**
 * The challenge for a passkey. A challenge of a log-in names no passkey, so that it shows neither who is a
 * member nor who has a passkey. The device offers its own passkeys. Refuses registered_only,
 * password_required, second_factor.
 */
export async function askPasskey(
  app: App,
  viewer: Viewer,
  { purpose, current_password: password, otp, passkey }: Body<'POST auth/passkey/options'>,
): Promise<Answer<'POST auth/passkey/options'>> {
  if (purpose === 'login') return questionForPasskey(app, 'prove')
  if (viewer.kind !== 'member') refuse('registered_only')
  await confirmOwner(app, viewer, { password, otp, passkey })
  return questionForNew(app, viewer)
}

async function questionForNew(app: App, { id }: Member) {
  const row = (await userById(app.db, id)) ?? refuse('session_invalid')
  const passkeys = await readPasskeys(app.db, id)
  if (passkeys.length >= PASSKEYS_MAX)
    refuse('invalid', { fields: [{ path: 'name', message: `At most ${PASSKEYS_MAX} passkeys` }] })
  const excluded = passkeys.map(({ passkey_id, transports }) => ({ id: passkey_id, transports }))
  const names = { email: row.email ?? '', name: row.nick ?? '' }
  return questionForNewPasskey(app, { owner: id, ...names }, excluded)
}

/** The question that a passkey answers to prove its owner. */
export async function questionForPasskey(app: App, purpose: 'prove' | 'staff prove') {
  const question = await generateAuthenticationOptions({
    rpID: passkeyDomain(app, purpose),
    challenge: new Uint8Array(newChallenge(app, purpose)),
    userVerification: 'required',
    timeout: TIMEOUT_MS,
  })
  return { ...question }
}

/** The question to which a device answers with a new passkey of this owner. */
export async function questionForNewPasskey(
  app: App,
  {
    owner,
    email,
    name,
  }: { readonly owner: FactorOwner; readonly email: string; readonly name: string },
  excluded: { id: string; transports?: PasskeyRow['transports'] }[] = [],
) {
  const question = await generateRegistrationOptions({
    rpName: 'Duet',
    rpID: passkeyDomain(app, `add ${owner}`),
    userName: email,
    userDisplayName: name,
    userID: userHandle(app, owner),
    challenge: new Uint8Array(newChallenge(app, `add ${owner}`)),
    excludeCredentials: excluded,
    supportedAlgorithmIDs: [ED25519, ES256, RS256],
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    timeout: TIMEOUT_MS,
  })
  return { ...question }
}

/** The name under which a device keeps a passkey. It is the same for every passkey of a user, and names no one. */
function userHandle(app: App, owner: FactorOwner): Uint8Array<ArrayBuffer> {
  const mac = createHmac('sha256', keyFor(app.config, 'passkey users'))
    .update(String(owner))
    .digest()
  return new Uint8Array(mac)
}

/** Stores a new passkey. Refuses second_factor. */
export async function storePasskey(
  app: App,
  viewer: Member,
  { name, answer }: Body<'POST auth/passkey/verify'>,
): Promise<Answer<'POST auth/passkey/verify'>> {
  return app.transact(async (tx) => {
    await lockOpenLogin(tx, viewer)
    const made = (await newPasskeyFrom(tx, viewer.id, answer)) ?? refuse('second_factor')
    const row: PasskeyRow = {
      passkey_id: made.id,
      user_id: viewer.id,
      public_key: Buffer.from(made.publicKey),
      counter: made.counter,
      transports: made.transports ?? [],
      name: name.trim(),
      created_at: tx.now,
      used_at: null,
    }
    // A client may invent the id of a passkey, so only one that no other account has is recorded.
    if (!(await addPasskey(tx, row))) refuse('second_factor')
    await recordPasskey(tx, viewer.id, row.passkey_id)
    await announceFactors(tx, viewer.id, 'factor_on')
    return shown(row)
  })
}

export async function listPasskeys(
  app: App,
  viewer: Member,
): Promise<Answer<'GET auth/passkey/list'>> {
  return { passkeys: (await readPasskeys(app.db, viewer.id)).map(shown) }
}

/** Forgets a passkey. Refuses password_required, second_factor, not_found. */
export async function forgetPasskey(
  app: App,
  viewer: Member,
  { id, current_password: password, otp, passkey }: Body<'POST auth/passkey/delete'>,
): Promise<Answer<'POST auth/passkey/delete'>> {
  await confirmOwner(app, viewer, { password, otp, passkey })
  await app.transact(async (tx) => {
    await lockOpenLogin(tx, viewer)
    if ((await removePasskeys(tx, viewer.id, { only: id })) === 0) refuse('not_found')
    await announceFactors(tx, viewer.id, 'factor_off')
  })
  return {}
}

function shown({ passkey_id, name, created_at, used_at }: PasskeyRow): Passkey {
  return {
    id: passkey_id,
    name,
    create_time: wireTime(created_at),
    last_used: used_at && wireTime(used_at),
  }
}
