import { mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { App } from '../../../core/app.ts'
import { wireTime } from '../../../lib/clock.ts'
import { CommandRefused } from '../../../platform/operator/commands.ts'
import type { IdentityCheck } from '../check/check-rules.ts'
import { readDocuments } from '../queries.ts'
import { recordView } from '../store.ts'
import { type Actor, writeAudit } from '../../audit/index.ts'
import { readDocument } from './store-documents.ts'

const OWNER_ONLY = { folder: 0o700, file: 0o600 }
/** The permissions of a group and of everybody. */
const OTHERS_MAY = 0o077

/**
 * Writes the documents of a check into a folder that `openFolder` has opened, with a watermark of the viewer. Returns the names of the
 * files. The access is recorded before a document is read.
 */
export async function writeDocuments(
  app: App,
  { check_id, user_id }: Pick<IdentityCheck, 'check_id' | 'user_id'>,
  { folder, viewer, staff }: { folder: string; viewer: string; staff: Actor },
): Promise<readonly string[]> {
  await app.transact(async (tx) => {
    await recordView(tx, { check_id, user_id, viewer })
    await writeAudit(tx, { staff, act: 'documents_view', user_id, facts: { check_id } })
  })
  const mark = `${viewer} ${wireTime(app.clock.now())} check ${check_id}`
  const files: string[] = []
  for (const row of await readDocuments(app.db, check_id)) {
    const picture = await readDocument(app, row)
    if (!picture)
      throw new CommandRefused(`The ${row.side} of check ${check_id} cannot be read any more.`)
    const file = join(folder, `check-${check_id}-${row.side}.jpg`)
    await writeNewFile(file, await app.images.watermark(picture, mark))
    files.push(file)
  }
  return files
}

/** A file or a link that is there is not overwritten: it could be another account's. */
export async function writeNewFile(file: string, content: Uint8Array): Promise<void> {
  try {
    await writeFile(file, content, { mode: OWNER_ONLY.file, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw new CommandRefused(`${file} is there already.`)
    throw error
  }
}

/** A folder that only the account of the server may enter. */
export async function openFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: OWNER_ONLY.folder })
  const { mode, uid } = await stat(folder)
  if ((mode & OTHERS_MAY) !== 0 || uid !== process.getuid?.())
    throw new CommandRefused(
      `${folder} may be entered by others: name a new folder, or one with mode 700 of the account that runs the server.`,
    )
}
