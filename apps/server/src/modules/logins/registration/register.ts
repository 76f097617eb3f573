import { type Gender, toGender, type Role, roleOfGender } from '@duet/protocol/kernel/roles.ts'
import type { Ack, Input } from '@duet/protocol'
import { refuse } from '../../../lib/refusal.ts'
import { maskText } from '../../../lib/text-mask.ts'
import type { App, Tx } from '../../../core/app.ts'
import type { Db } from '../../../core/db.ts'
import { createPort } from '../../../core/port.ts'
import type { RequestContext } from '../../../core/request-context.ts'
import type { Guest } from '../../../core/viewer.ts'
import { setting } from '../../settings/index.ts'
import {
  type CaptchaPassed,
  consumeEmailTry,
  consumeRegistration,
  getDevice,
  type EmailTry,
  passSpentBudgets,
  type RequestClient,
  returnEmailTry,
  recordSignals,
} from '../../client-signals/index.ts'
import {
  connectionAttributes,
  type ConnectionAttributes,
  userByEmail,
  userById,
  userIdByRefCode,
  userNow,
  cleanName,
  birthdayRefusal,
  nickRefusal,
  parseDay,
  changeUser,
  writeGuestRow,
  register,
  guestKey,
  toMember,
  ownUser,
} from '../../identity/index.ts'
import { getLoginDevice } from '../devices/device-name.ts'
import { hashPassword } from '../credentials/passwords.ts'
import { mailConfirmation } from '../mail-links/confirm-email.ts'
import { userOfFormerEmail } from '../mail-links/former-emails-store.ts'
import { emailRefusal, passwordRefusal } from '../credentials/rules.ts'
import { openLogin } from '../devices/logins-store.ts'

type ProfileInput = Input<'UPDATE_PROFILE'>
type RequiredInput = Required<
  Pick<ProfileInput, 'nick' | 'email' | 'password' | 'birthday' | 'gender'>
>

/** A guest's UPDATE_PROFILE: a gender alone is stored; all required fields together register the guest. */
export async function guestProfile(
  app: App,
  viewer: Guest,
  input: ProfileInput,
  context: RequestContext,
): Promise<Ack<'UPDATE_PROFILE'>> {
  const attributes = connectionAttributes(app, viewer.id, context)
  if (isGenderAlone(input)) return declareRole(app, viewer, roleOfGender(input.gender), context)
  const complete = completed(input, viewer)
  const row = await userById(app.db, viewer.id)
  if (row?.age_confirmed_at == null) refuse('age_unconfirmed')
  refuseInvalid(app, complete)
  const client = {
    address: context.address,
    fingerprint: attributes.fingerprint ?? row.fingerprint,
  }
  const request = { purpose: 'register', viewer, context } as const
  const isPassed = await passSpentBudgets(app, client, request)
  await refuseUsedEmail(app, complete.email, client, { ...request, isPassed })
  const password_hash = await hashPassword(complete.password, 'public')
  const registrant = { ...complete, password_hash, attributes, client, is_verified: isPassed }
  return app.transact((tx) => becomeMember(tx, viewer, registrant, context))
}

function isGenderAlone(input: ProfileInput): input is ProfileInput & { gender: Gender } {
  return input.gender !== undefined && Object.keys(input).length === 1
}

/** The input with all required fields, its name and address as they are stored. Refuses invalid, birthday_invalid. */
function completed(input: ProfileInput, viewer: Guest): RequiredInput & ProfileInput {
  const {
    nick,
    email,
    password,
    birthday,
    gender = viewer.declared_role ? toGender(viewer.declared_role) : undefined,
  } = input
  const needed = { nick, email, password, gender }
  const missing = Object.entries(needed).flatMap(([path, value]) =>
    value === undefined ? path : [],
  )
  if (missing.length > 0)
    refuse('invalid', {
      fields: missing.map((path) => ({ path, message: 'Required to register' })),
    })
  if (birthday === undefined) refuse('birthday_invalid')
  return {
    ...input,
    ...needed,
    nick: cleanName(nick!),
    email: email!.trim(),
    birthday,
  } as RequiredInput & ProfileInput
}

function declareRole(
  app: App,
  viewer: Guest,
  declared_role: Role,
  context: RequestContext,
): Promise<Ack<'UPDATE_PROFILE'>> {
  return app.transact(async (tx) => {
    await writeGuestRow(tx, viewer, context)
    await changeUser(tx, viewer.id, { declared_role })
    const user = await ownUser(app, tx, guestKey(app, viewer.id))
    await tx.notify(viewer.id, 'update_profile_success', { register: false, user })
    return { user }
  })
}

function refuseInvalid(app: App, input: RequiredInput & ProfileInput): void {
  const refusal =
    nickRefusal(input.nick, 'registering') ??
    emailRefusal(input.email) ??
    passwordRefusal(input.password, input.repeat_password) ??
    birthdayRefusal(input.birthday, app.clock.now())
  if (refusal) refuse(refusal)
  refuseContactInName(app, input.nick)
}

/** A name that contains a contact is refused, not masked: a masked name would be useless. */
export function refuseContactInName(app: App, nick: string): void {
  if (maskText(nick, { words: setting(app, 'competitor_words') }).masked) {
    refuse('invalid', {
      fields: [{ path: 'nick', message: 'A nickname holds no address, link or number' }],
    })
  }
}

/** Whether no user may take this address, because a member of staff has it; the module `staff` knows. */
export const reservedEmails = createPort<(db: Db, email: string) => Promise<boolean>>(
  'the addresses that users may not take',
  async () => false,
)

/**
 * Refuses email_used. Refuses captcha_required if the device or its network has tried too many addresses
 * today. That check comes first and ignores the address, so neither the answer nor its time shows who is a
 * member.
 */
export async function refuseUsedEmail(
  app: App,
  email: string,
  client: RequestClient,
  request: EmailTry,
): Promise<void> {
  await consumeEmailTry(app, client, request)
  // All three are read for every address, so that the time does not tell an address of staff from one of a user.
  const present = await userByEmail(app.db, email)
  const former = await userOfFormerEmail(app.db, email, app.clock.now())
  const isReserved = await reservedEmails.get(app)(app.db, email)
  const holder = present?.id ?? former
  const ownId = request.viewer.kind === 'member' ? request.viewer.id : undefined
  if (holder === undefined ? isReserved : holder !== ownId) refuse('email_used')
}

/** A guest whose registration is complete and valid. */
interface Registrant extends RequiredInput {
  readonly password_hash: string
  readonly attributes: ConnectionAttributes
  readonly client: RequestClient
  readonly is_verified: CaptchaPassed
}

async function becomeMember(
  tx: Tx,
  viewer: Guest,
  { password_hash, attributes, client, is_verified, ...input }: Registrant,
  context: RequestContext,
) {
  await consumeRegistration(tx, client, { purpose: 'register', viewer, context }, is_verified)
  await returnEmailTry(tx, client)
  await writeGuestRow(tx, viewer, context)
  const referrer = attributes.ref_code ? await userIdByRefCode(tx, attributes.ref_code) : undefined
  const { nick, email, birthday } = input
  const role = roleOfGender(input.gender)
  const isRegistered = await register(tx, viewer.id, {
    nick,
    email,
    password_hash,
    role,
    birthday: parseDay(birthday)!,
    country: context.country,
    region: context.region,
    ...(referrer !== undefined && { referred_by: referrer }),
    ...(attributes.signature && { signature: attributes.signature }),
  })
  if (!isRegistered) refuse('session_invalid')
  const { pro_fingerprint = null } = attributes
  await recordSignals(tx, viewer.id, { ...client, pro_fingerprint })
  const { login, token } = await openLogin(tx, viewer.id, getLoginDevice(context))
  await tx.publish('registered', {
    user_id: viewer.id,
    role,
    device: getDevice(tx.app, client),
  })
  await mailConfirmation(tx, { id: viewer.id, email, nick, locale: viewer.locale })
  const user = await ownUser(tx.app, tx, {
    user_id: viewer.id,
    login_id: login.id,
    generation: login.generation,
  })
  // The connection gets the login before the event is sent; otherwise the next action would still be the guest's.
  const { connection } = context
  const identity = connection?.identity
  if (connection && identity) {
    tx.afterCommit(async () => {
      const row = (await userNow(tx.app, viewer.id))!
      const member = toMember(row, login.id, tx.now)
      await tx.app.realtime.attach(connection, { ...identity, login_id: login.id, viewer: member })
    })
  }
  await tx.notify(viewer.id, 'update_profile_success', { register: true, user })
  return { user, token }
}
