import { type Actor, writeAudit } from '../audit/index.ts'
import { addUser, hashedPassword, type NewUser } from '../logins/index.ts'
import type { UserId } from '../../core/ids.ts'
import type { App, Tx } from '../../core/app.ts'
import { encodePicture, uploadEncoded } from '../media/index.ts'
import { avatarBytes, setAvatar } from './avatar/set-avatar.ts'

export interface NewMember extends Omit<NewUser, 'password_hash'> {
  readonly password: string
  /** The path of a picture, or `demo` for a portrait of the demo. The picture needs no review. */
  readonly avatar?: string | undefined
}

/** A member who is ready to be added: the password is hashed, the picture is encoded. */
export interface PreparedMember {
  readonly user: NewUser
  readonly encoded?: Awaited<ReturnType<typeof encodePicture>>
}

interface AddedMember {
  readonly id: UserId
  readonly ref_code: string
  readonly token: string
}

/**
 * Adds a member for the operator. Slow work is done before the transaction, because a repeated transaction
 * would repeat the work. Refuses invalid, wrong_type and what a registration refuses.
 */
export async function addMember(app: App, member: NewMember, staff?: Actor): Promise<AddedMember> {
  return addPreparedMember(app, await prepareMember(app, member), staff)
}

/** Hashes the password and encodes the picture. Refuses invalid, wrong_type and a bad password. */
export async function prepareMember(
  app: App,
  { password, avatar, ...user }: NewMember,
): Promise<PreparedMember> {
  const password_hash = await hashedPassword(password)
  if (avatar === undefined) return { user: { ...user, password_hash } }
  const bytes = await avatarBytes(avatar, user.role, user.email)
  return { user: { ...user, password_hash }, encoded: await encodePicture(app, bytes) }
}

/** Adds a prepared member, who may be added to any number of apps. Refuses what a registration refuses. */
export async function addPreparedMember(
  app: App,
  { user, encoded }: PreparedMember,
  staff?: Actor,
): Promise<AddedMember> {
  const add = async (tx: Tx) => {
    const added = await addUser(tx, user)
    if (staff) await writeAudit(tx, { staff, act: 'user_add', user_id: added.id })
    return added
  }
  if (!encoded) return app.transact(add)
  return uploadEncoded(app, encoded, async (tx, store) => {
    const added = await add(tx)
    await setAvatar(tx, added.id, await store(added.id, 'avatar'))
    return added
  })
}
