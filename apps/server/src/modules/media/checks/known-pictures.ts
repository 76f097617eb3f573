import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import type { App } from '../../../core/app.ts'
import type { Db } from '../../../core/db.ts'
import type { PictureHashes } from '../../../integrations/images/picture-hash.ts'
import { refuse } from '../../../lib/refusal.ts'
import { isMediaId } from '../queries.ts'
import { storedPicture } from '../store-files.ts'
import { type Actor, writeAudit } from '../../audit/index.ts'
import { checkBulk } from '../../bulk/index.ts'
import { checkedHash } from './queries.ts'
import { isRefusedFromAll } from './rules.ts'
import { addKnownPicture, addListedPictures } from './store.ts'

const IMPORTED_AT_ONCE = 500
const HASH = /^[0-9a-f]{64}$/
const LIST_MAX = 60

/** The hash of an upload, from its check or from its stored file; undefined when it has too little to be recognised. */
export async function hashOfUpload(app: App, media_id: string): Promise<string | undefined> {
  const checked = await checkedHash(app.db, media_id)
  if (checked !== undefined) return checked ?? undefined
  return (await hashesOfUpload(app, media_id))?.hash
}

/** Refuses the picture of an upload from now on, whatever becomes of the upload itself. */
export async function banPicture(
  app: App,
  media_id: string,
  reason: string,
  staff: Actor,
): Promise<{ media_id: string; reason: string }> {
  const owner_id = isMediaId(media_id) ? await readOwner(app.db, media_id) : undefined
  if (owner_id === undefined) refuse('not_found')
  const hash = (await hashOfUpload(app, media_id)) ?? refuse('wrong_type')
  await app.transact(async (tx) => {
    await checkBulk(tx, staff, 'removal')
    await addKnownPicture(tx, {
      hash,
      reason,
      media_id,
      owner_id: isRefusedFromAll(reason) ? null : owner_id,
    })
    const facts = { media_id }
    await writeAudit(tx, { staff, act: 'picture_ban', user_id: owner_id, reason, facts })
  })
  return { media_id, reason }
}

/** Of an upload that is stored, or that was refused before it was. */
async function readOwner(db: Db, media_id: string) {
  const { owner_id } =
    (await db
      .selectFrom('media')
      .select('owner_id')
      .where('id', '=', media_id)
      .executeTakeFirst()) ??
    (await db
      .selectFrom('image_checks')
      .select('owner_id')
      .where('media_id', '=', media_id)
      .limit(1)
      .executeTakeFirst()) ??
    {}
  return owner_id
}

/**
 * Imports a list of PDQ hashes: one in each line, as 64 hexadecimal digits, with anything behind a comma; `#` starts a
 * comment. A line that is none ends the import with its number; what came before it stays, and a repeat adds nothing twice.
 */
export async function importHashes(
  app: App,
  file: string,
  {
    reason,
    staff,
    list = basename(file),
  }: { readonly reason: string; readonly staff: Actor; readonly list?: string },
): Promise<{ read: number; added: number }> {
  const named = { reason, list: list.slice(0, LIST_MAX) }
  const opened = await open(file).catch(() => refuseFile('The file cannot be opened'))
  let waiting: string[] = []
  let read = 0
  let added = 0
  let number = 0
  const store = async () => {
    if (waiting.length === 0) return
    added += await app.transact(async (tx) => {
      const facts = { list: named.list, pictures: waiting.length }
      await writeAudit(tx, { staff, act: 'pictures_import', reason, facts })
      return addListedPictures(tx, waiting, named)
    })
    waiting = []
  }
  for await (const line of opened.readLines()) {
    number += 1
    const hash = line.replace(/#.*$/, '').split(',')[0]!.trim().toLowerCase()
    if (hash === '') continue
    if (!HASH.test(hash)) {
      await store()
      refuseFile(`Line ${number} has no hash of 64 hexadecimal digits`)
    }
    read += 1
    waiting.push(hash)
    if (waiting.length >= IMPORTED_AT_ONCE) await store()
  }
  await store()
  return { read, added }
}

function refuseFile(message: string): never {
  return refuse('invalid', { fields: [{ path: 'file', message }] })
}

/** The hashes of a stored upload, also mirrored; undefined when it has none or there is no such upload. */
export async function hashesOfUpload(
  app: App,
  media_id: string,
): Promise<PictureHashes | undefined> {
  const file = await storedPicture(app, media_id)
  const picture = file && (await app.images.encode(file))
  if (picture === 'busy') refuse('too_many')
  return picture?.hashes
}
