import { addUser, hashedPassword, type NewUser } from '../identity/index.ts'
import type { UserId } from '../../core/ids.ts'
import type { App } from '../../core/app.ts'
import { deletePictureFiles, storePictureFiles } from '../media/index.ts'
import { avatarBytes, setAvatar } from './avatar/set-avatar.ts'

export interface NewMember extends Omit<NewUser, 'password_hash'> {
  readonly password: string
  /** The path of a picture, or `demo` for one of the demo's portraits. It needs no review. */
  readonly avatar?: string | undefined
}

/**
 * Adds a member for the operator. The hash and the sizes of the picture are made before the transaction: they take long,
 * and a transaction that is repeated would make them again. Refuses invalid, wrong_type and what a registration refuses.
 */
export async function addMember(
  app: App,
  { password, avatar, ...user }: NewMember,
): Promise<{ id: UserId; ref_code: string; token: string }> {
  const password_hash = await hashedPassword(password)
  const picture =
    avatar === undefined
      ? undefined
      : await storePictureFiles(app, await avatarBytes(avatar, user.role, user.email))
  try {
    return await app.transact(async (tx) => {
      const added = await addUser(tx, { ...user, password_hash })
      if (picture) await setAvatar(tx, added.id, picture)
      return added
    })
  } catch (error) {
    if (picture) await deletePictureFiles(app, picture)
    throw error
  }
}
