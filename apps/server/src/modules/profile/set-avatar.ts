import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { refuse } from '../../lib/refusal.ts'
import type { DomainEvents } from '../../core/domain-events.ts'
import type { UserId } from '../../core/ids.ts'
import type { Tx } from '../../core/app.ts'
import { userById } from '../identity/index.ts'
import { addPicture, type StoredPicture, storePictureFiles } from '../media/index.ts'
import { setAvatarId } from './store.ts'

/** The portraits of the demo users; `--avatar demo` takes one of them too. */
export const PORTRAITS_FOLDER = join(import.meta.dirname, '../../../assets/people')

/** Sets the picture that the operator requested; it needs no review. Refuses invalid, wrong_type. */
export async function setRequestedAvatar(
  tx: Tx,
  { user_id, source }: DomainEvents['avatar_requested'],
): Promise<void> {
  const file = source === 'demo' ? join(PORTRAITS_FOLDER, await portraitFor(tx, user_id)) : source
  const bytes = await readFile(file).catch(() =>
    refuse('invalid', { fields: [{ path: 'avatar', message: `${source} cannot be read` }] }),
  )
  await setAvatar(tx, user_id, await storePictureFiles(tx.app, bytes))
}

/** Makes a stored picture the avatar of a user, visible to others at once. */
export async function setAvatar(tx: Tx, user_id: UserId, picture: StoredPicture): Promise<void> {
  const avatarId = await addPicture(tx, {
    owner_id: user_id,
    product: 'avatar',
    picture,
    status: 'ready',
  })
  await setAvatarId(tx, user_id, avatarId)
  await tx.publish('member_updated', { user_id })
}

/** The portraits of guys; the others show girls. */
const GUY_PORTRAITS: ReadonlySet<string> = new Set(['alex.webp', 'omar.webp', 'tom.webp'])

async function portraitFor(tx: Tx, user_id: UserId): Promise<string> {
  const user = await userById(tx, user_id)
  const files = (await readdir(PORTRAITS_FOLDER))
    .filter((name) => name.endsWith('.webp') && GUY_PORTRAITS.has(name) === (user?.role === 'guy'))
    .toSorted()
  return files[user_id % files.length]!
}
