import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { refuse } from '../../lib/refusal.ts'
import type { UserId } from '../../core/ids.ts'
import type { Tx } from '../../core/tx.ts'
import type { DomainEvents } from '../../core/domain-events.ts'
import { userById } from '../identity/index.ts'
import { addPicture, keepFiles, type KeptPicture } from '../media/index.ts'

/** Portraits that the demo installation brings; also what `--avatar demo` takes from. */
export const portraits = join(import.meta.dirname, '../../../assets/people')

/** The operator's own choice of a picture: approved by that. */
export async function keepAskedAvatar(
  tx: Tx,
  { user_id, source }: DomainEvents['avatar_requested'],
): Promise<void> {
  const file = source === 'demo' ? join(portraits, await portraitFor(tx, user_id)) : source
  const bytes = await readFile(file).catch(() =>
    refuse('invalid', { fields: [{ path: 'avatar', message: `${source} cannot be read` }] }),
  )
  await showAvatar(tx, user_id, await keepFiles(tx.app, bytes))
}

/** Makes a kept picture somebody's avatar, seen by everybody at once. */
export async function showAvatar(tx: Tx, user_id: UserId, picture: KeptPicture): Promise<void> {
  const avatar_id = await addPicture(tx, {
    owner_id: user_id,
    product: 'avatar',
    picture,
    status: 'ready',
  })
  await tx.updateTable('users').set({ avatar_id }).where('id', '=', user_id).execute()
  await tx.publish('member_updated', { user_id })
}

/** Whose portraits show a man; the others show women. */
const GUY_PORTRAITS: ReadonlySet<string> = new Set(['alex.webp', 'omar.webp', 'tom.webp'])

async function portraitFor(tx: Tx, user_id: UserId): Promise<string> {
  const row = await userById(tx, user_id)
  const files = (await readdir(portraits))
    .filter((name) => name.endsWith('.webp') && GUY_PORTRAITS.has(name) === (row?.role === 'guy'))
    .toSorted()
  return files[user_id % files.length]!
}
