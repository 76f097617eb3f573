import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Role } from '@duet/protocol/kernel/roles.ts'
import { refuse } from '../../../lib/refusal.ts'
import type { UserId } from '../../../core/ids.ts'
import type { Tx } from '../../../core/app.ts'
import { setAvatarId } from '../store.ts'

/** The portraits of the demo users. `--avatar demo` uses these portraits too. */
export const PORTRAITS_FOLDER = join(import.meta.dirname, '../../../../assets/people')

/** The bytes of a file, or of a portrait of the demo. Refuses invalid. */
export async function avatarBytes(source: string, role: Role, email: string): Promise<Buffer> {
  const file = source === 'demo' ? join(PORTRAITS_FOLDER, await portraitFor(role, email)) : source
  return readFile(file).catch(() =>
    refuse('invalid', { fields: [{ path: 'avatar', message: `${source} cannot be read` }] }),
  )
}

/** Makes a stored picture the avatar of a user, visible to others at once. */
export async function setAvatar(tx: Tx, user_id: UserId, media_id: string): Promise<void> {
  await setAvatarId(tx, user_id, media_id)
  await tx.publish('member_updated', { user_id })
}

/** The portraits of guys; the others show girls. */
const GUY_PORTRAITS: ReadonlySet<string> = new Set(['alex.webp', 'omar.webp', 'tom.webp'])

/** The same address gets the same portrait. */
async function portraitFor(role: Role, email: string): Promise<string> {
  const files = (await readdir(PORTRAITS_FOLDER))
    .filter((name) => name.endsWith('.webp') && GUY_PORTRAITS.has(name) === (role === 'guy'))
    .toSorted()
  return files[[...email].reduce((sum, letter) => sum + letter.codePointAt(0)!, 0) % files.length]!
}
