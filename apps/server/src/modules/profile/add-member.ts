import { addUser, hashedPassword, type NewUser } from '../logins/index.ts'
import type { UserId } from '../../core/ids.ts'
import type { App } from '../../core/app.ts'
import { deletePictureFiles, encodedPicture, storeFiles } from '../media/index.ts'
import { avatarBytes, setAvatar } from './avatar/set-avatar.ts'

export interface NewMember extends Omit<NewUser, 'password_hash'> {
  readonly password: string
  /** The path of a picture, or `demo` for one of the demo's portraits. It needs no review. */
  readonly avatar?: string | undefined
}

/** A member with the hash of the password and the sizes of the picture, ready to be added. */
export interface PreparedMember {
  readonly user: NewUser
  readonly encoded?: Awaited<ReturnType<typeof encodedPicture>>
}

interface AddedMember {
  readonly id: UserId
  readonly ref_code: string
  readonly token: string
}

/**
 * Adds a member for the operator. What takes long is made before the transaction: one that is repeated would make it again.
 * Refuses invalid, wrong_type and what a registration refuses.
 */
export async function addMember(app: App, member: NewMember): Promise<AddedMember> {
  return addPreparedMember(app, await prepareMember(app, member))
}

/** Hashes the password and encodes the picture. Refuses invalid, wrong_type and a bad password. */
export async function prepareMember(
  app: App,
  { password, avatar, ...user }: NewMember,
): Promise<PreparedMember> {
  const password_hash = await hashedPassword(password)
  if (avatar === undefined) return { user: { ...user, password_hash } }
  const bytes = await avatarBytes(avatar, user.role, user.email)
  return { user: { ...user, password_hash }, encoded: await encodedPicture(app, bytes) }
}

/** Adds a member who may be added to any number of apps. Refuses what a registration refuses. */
export async function addPreparedMember(
  app: App,
  { user, encoded }: PreparedMember,
): Promise<AddedMember> {
  const picture = encoded && (await storeFiles(app, encoded))
  try {
    return await app.transact(async (tx) => {
      const added = await addUser(tx, user)
      if (picture) await setAvatar(tx, added.id, picture)
      return added
    })
  } catch (error) {
    if (picture) await deletePictureFiles(app, picture)
    throw error
  }
}
