import { roleOfGender } from '@duet/protocol/kernel/roles.ts'
import type { Ack, Answer, Input } from '@duet/protocol'
import { limits, ProfileFields, type RefusalName } from '@duet/protocol'
import type { Updateable } from 'kysely'
import { refuse } from '../../lib/refusal.ts'
import type { App, Tx } from '../../core/app.ts'
import type { Db } from '../../core/db.ts'
import type { UserId } from '../../core/ids.ts'
import { createPort } from '../../core/port.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { Guest, Member } from '../../core/viewer.ts'
import type { Tables } from '../../core/tables.gen.ts'
import {
  changeCredentials,
  credentialChange,
  followCredentialChange,
  guestProfile,
  refuseContactInName,
  emailRefusal,
  passwordRefusal,
} from '../logins/index.ts'
import {
  readTokenSubject,
  tokenSubjectOfSocket,
  lockUser,
  userById,
  type UserRow,
  cleanName,
  birthdayRefusal,
  nickRefusal,
  parseDay,
  changeUser,
  ownUser,
  ownRecord,
} from '../identity/index.ts'
import { readGalleries } from './gallery/queries.ts'
import { aboutRefusal, cleanAbout, maskProfileText } from './profile-text.ts'

type ProfileInput = Input<'UPDATE_PROFILE'>
type UserChange = Updateable<Tables['users']>

/** Changes the own record. A guest who sends all required fields becomes a member. */
export function updateProfile(
  app: App,
  viewer: Guest | Member,
  input: ProfileInput,
  context: RequestContext,
): Promise<Ack<'UPDATE_PROFILE'>> {
  return viewer.kind === 'guest'
    ? guestProfile(app, viewer, input, context)
    : memberProfile(app, viewer, input, context)
}

export async function ownProfile(app: App, viewer: Member): Promise<Answer<'GET profile'>> {
  return {
    user: await ownRecord(app, viewer),
    ...(await readGalleries(app, app.db, viewer.id, viewer.id)),
  }
}

export async function memberProfile(
  app: App,
  viewer: Member,
  sent: ProfileInput,
  context: RequestContext,
): Promise<Ack<'UPDATE_PROFILE'>> {
  const row = (await userById(app.db, viewer.id)) ?? refuse('session_invalid')
  const input = normalized(sent, row)
  refuseInvalid(app, viewer, input)
  const credentials = await credentialChange(app, viewer, row, input, context)
  const change = { ...plainFields(input), ...checkedFields(app, input), ...credentials }
  return app.transact(async (tx) => {
    if (input.birthday !== undefined) await refuseOtherBirthday(tx, viewer, input.birthday)
    // The lock orders two simultaneous changes: the second change reads the e-mail that the first change
    // has set.
    const before = credentials && ((await lockUser(tx, viewer.id)) ?? refuse('session_invalid'))
    if (before) await changeCredentials(tx, before, change)
    else if (Object.keys(change).length > 0) await changeUser(tx, viewer.id, change)
    const token = before && (await followCredentialChange(tx, viewer, before))
    await tx.publish('member_updated', { user_id: viewer.id })
    if (input.hide_countries) await tx.publish('visibility_changed', { user_id: viewer.id })
    const key = await readTokenSubject(app, tx, viewer)
    if (key.generation === 0) refuse('session_invalid')
    // The active connection may belong to another login, which gets its own tokens.
    const live = await ownUser(app, tx, await tokenSubjectOfSocket(app, tx, viewer.id))
    await tx.notify(viewer.id, 'update_profile_success', { register: false, user: live })
    return { user: await ownUser(app, tx, key), ...(token && { token }) }
  })
}

/** Whether a document of this user is being compared with the birthday now. */
export const isIdentityChecked = createPort<(db: Db, id: UserId) => Promise<boolean>>(
  'whether the identity of a user is being checked',
  async () => false,
)

/** A verified user has the birthday of the document, and a checked user has the birthday that is compared. */
async function refuseOtherBirthday(tx: Tx, { id }: Member, sent: string): Promise<void> {
  const row = await lockUser(tx, id)
  if (row?.birthday?.toString() === sent) return
  if (row?.verified_at || (await isIdentityChecked.get(tx.app)(tx, id))) refuse('birthday_fixed')
}

/** The input with names and texts in their stored form. An e-mail that equals the current e-mail is removed. */
function normalized(sent: ProfileInput, row: UserRow): ProfileInput {
  const { email, ...input } = sent
  const address = email?.trim()
  return {
    ...input,
    ...(input.nick !== undefined && { nick: cleanName(input.nick) }),
    ...(input.about !== undefined && { about: cleanAbout(input.about) }),
    ...(address !== undefined && address !== row.email && { email: address }),
  }
}

function refuseInvalid(app: App, viewer: Member, input: ProfileInput): void {
  if (input.gender !== undefined && roleOfGender(input.gender) !== viewer.role)
    refuse('role_forbidden')
  if (input.usdt_wallet !== undefined)
    refuseField('usdt_wallet', 'Payout addresses are taken with withdrawals')
  if (input.quiet_hours && !isZone(input.quiet_hours.zone))
    refuseField('quiet_hours.zone', 'No such time zone')
  if (input.phone != null && !isPhone(input.phone)) refuseField('phone', 'Not a phone number')
  const refusal = invalidFieldRefusal(input, app.clock.now())
  if (refusal) refuse(refusal)
  if (input.nick !== undefined) refuseContactInName(app, input.nick)
}

/** The refusal of the first field whose value breaks its rule. Undefined if every value may be stored. */
function invalidFieldRefusal(
  { nick, about, birthday, email, password, repeat_password }: ProfileInput,
  now: Temporal.Instant,
): RefusalName | undefined {
  return (
    (nick === undefined ? undefined : nickRefusal(nick, 'changing')) ??
    (about === undefined ? undefined : aboutRefusal(about)) ??
    (birthday === undefined ? undefined : birthdayRefusal(birthday, now)) ??
    (email === undefined ? undefined : emailRefusal(email)) ??
    (password === undefined ? undefined : passwordRefusal(password, repeat_password))
  )
}

function refuseField(path: string, message: string): never {
  refuse('invalid', { fields: [{ path, message }] })
}

function plainFields(input: ProfileInput): UserChange {
  return Object.fromEntries(
    ProfileFields.keyof()
      .options.filter((field) => input[field] !== undefined)
      .map((field) => [field, input[field]]),
  )
}

function checkedFields(app: App, input: ProfileInput): UserChange {
  return {
    ...(input.nick !== undefined && { nick: input.nick }),
    ...(input.about !== undefined && {
      about: maskProfileText(app, input.about, limits.about_characters),
    }),
    ...(input.birthday !== undefined && { birthday: parseDay(input.birthday)! }),
    ...(input.quiet_hours !== undefined && {
      quiet_hours: input.quiet_hours && JSON.stringify(input.quiet_hours),
    }),
  }
}

/** Digits with the usual separators, a plus only at the start. Only a call can show whether the number exists. */
const PHONE = /^\+?[\d ().-]{5,32}$/

function isPhone(phone: string): boolean {
  return PHONE.test(phone) && (phone.match(/\d/g)?.length ?? 0) >= 5
}

function isZone(zone: string): boolean {
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone) !== undefined
  } catch {
    return false
  }
}
