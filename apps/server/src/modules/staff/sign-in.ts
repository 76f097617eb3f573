import type { Answer, Body, PasskeyAnswer } from '@duet/protocol'
import { FALLBACK_LOCALE } from '@duet/protocol/kernel/locales.ts'
import type { App, Tx } from '../../core/app.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { Staff, Viewer } from '../../core/viewer.ts'
import { productDay, wireTime } from '../../lib/clock.ts'
import { refuse } from '../../lib/refusal.ts'
import { toNetwork } from '../../platform/http/client-address.ts'
import { networkHash } from '../client-signals/index.ts'
import {
  consumeLoginAttempt,
  counterOfAnswer,
  refuseTooMany,
  stepOfCode,
  verifyPassword,
} from '../logins/index.ts'
import { enqueueMail } from '../mail/index.ts'
import { setting } from '../settings/index.ts'
import { isDemoMember } from './demo-members.ts'
import { isKnownNetwork, openSession } from './sessions.ts'
import { recordProof } from './sessions-store.ts'
import {
  memberByEmail,
  memberById,
  type MemberRow,
  passkeyById,
  setPasskeyCounter,
  useStep,
} from './store.ts'

type Proof = Body<'POST v2/manager/prove'>
interface Attempt {
  readonly viewer: Viewer
  readonly context: RequestContext
  /** Guesses at the passwords of users fill the public lane. */
  readonly lane: 'staff' | 'public'
}

/**
 * POST v2/manager/sign-in. After some failures a captcha is asked for, but no number of failures locks a
 * member out. Refuses wrong_login, second_factor, captcha_required.
 */
export async function signIn(
  app: App,
  viewer: Viewer,
  { email = '', passkey, ...proof }: Body<'POST v2/manager/sign-in'>,
  context: RequestContext,
): Promise<Answer<'POST v2/manager/sign-in'>> {
  if (passkey)
    return app.transact(async (tx) => openSession(tx, await provenByPasskey(tx, passkey), context))
  const row = await memberByEmail(app.db, email)
  const isKnown = row && (await isKnownNetwork(app.db, row.id, networkHash(app, context.address)))
  const lane = isKnown ? 'staff' : 'public'
  const member = await provePassword(app, row, email, proof, { viewer, context, lane })
  if (proof.otp) await countCode(app, member, context.address)
  return app.transact(async (tx) => {
    await useCode(tx, member, proof.otp)
    return openSession(tx, member, context)
  })
}

/** POST v2/manager/prove. Refuses wrong_login, second_factor, captcha_required. */
export async function prove(
  app: App,
  staff: Staff,
  { passkey, ...proof }: Proof,
  context: RequestContext,
): Promise<Answer<'POST v2/manager/prove'>> {
  const member = (await memberById(app.db, staff.id)) ?? refuse('session_invalid')
  const isDemo = isDemoMember(app, member)
  if (!passkey && !isDemo) {
    const attempt = { viewer: { kind: 'none' }, context, lane: 'staff' } as const
    await provePassword(app, member, member.email, proof, attempt)
  }
  return app.transact(async (tx) => {
    if (passkey) {
      const proven = await provenByPasskey(tx, passkey)
      if (proven.id !== staff.id) refuse('second_factor')
    } else if (!isDemo) {
      // Wrong codes of a stranger at the sign-in leave an open session its proofs.
      if (proof.otp) await refuseTooMany(app, 'factor_known', `staff session ${staff.session_id}`)
      await useCode(tx, member, proof.otp)
    }
    await recordProof(tx, staff.session_id)
    const minutes = setting(app, 'staff_fresh_minutes')
    return { fresh_until: wireTime(tx.now.add({ minutes })) }
  })
}

async function provePassword(
  app: App,
  member: MemberRow | undefined,
  email: string,
  { password = '' }: Proof,
  attempt: Attempt,
): Promise<MemberRow> {
  // Accounts of users with the same address have a count of their own.
  const permitted = await consumeLoginAttempt(app, `staff\n${email.toLowerCase()}`, attempt)
  const isRight = await verifyPassword(password, member?.password_hash, attempt.lane)
  if (!member || !isRight) refuse('wrong_login')
  await permitted.succeeded()
  return member
}

/**
 * Counts one code at the sign-in. Networks of earlier sessions have a separate limit, as those of users have, so that a thief
 * of the password does not lock the member out by wrong codes. The member is told that the password is known. Refuses too_many.
 */
async function countCode(app: App, { id, email }: MemberRow, address: string): Promise<void> {
  if (await isKnownNetwork(app.db, id, networkHash(app, address)))
    return refuseTooMany(app, 'factor_known', `staff ${id} ${toNetwork(address)}`)
  try {
    await refuseTooMany(app, 'factor_account', `staff ${id}`)
  } catch (refused) {
    const key = `staff:${id}:guesses:${productDay(app.clock.now()).toString()}`
    const mail = { to: email, locale: FALLBACK_LOCALE, template: 'staff_guesses', key } as const
    await app.transact((tx) => enqueueMail(tx, { ...mail, values: { link: '/office/' } }))
    throw refused
  }
}

async function useCode(tx: Tx, { id, totp_secret }: MemberRow, otp: string | undefined) {
  if (!otp || !totp_secret) refuse('second_factor')
  const step = stepOfCode(tx.app, { owner: `staff ${id}`, secret: totp_secret }, otp)
  if (step === undefined || !(await useStep(tx, id, step))) refuse('second_factor')
}

async function provenByPasskey(tx: Tx, answer: PasskeyAnswer): Promise<{ id: number }> {
  const row = await passkeyById(tx, answer.id)
  const counter = row && (await counterOfAnswer(tx, 'staff prove', row, answer))
  if (!row || counter === undefined) refuse('second_factor')
  await setPasskeyCounter(tx, answer.id, counter)
  return { id: row.staff_id }
}
