import { type Selectable, sql } from 'kysely'
import type { Db } from '../../../core/db.ts'
import { inKeys } from '../../../platform/database/statements/batched-read.ts'
import type { Tables } from '../../../core/tables.gen.ts'
import type { ProcessTable } from '../../../platform/process/process.ts'
import type { MailedLink } from './rules.ts'

export const linkTable: ProcessTable<string, MailedLink> = {
  name: 'mailed_links',
  id_column: 'link_id',
  open: sql`state = 'open'`,
  load: linkById,
  async loadMany(db, ids) {
    const rows = await db
      .selectFrom('mailed_links')
      .selectAll()
      .where('link_id', '=', inKeys(ids))
      .execute()
    return rows.map(toLink)
  },
  async insert(tx, link, stamp) {
    await tx
      .insertInto('mailed_links')
      .values({ ...link, ...stamp })
      .execute()
    return true
  },
  async update(tx, { link_id, state, closed_at }, { fence, version }) {
    await tx
      .updateTable('mailed_links')
      .set({ state, closed_at, version })
      .where('link_id', '=', link_id)
      .where('fence', '=', fence)
      .execute()
  },
}

async function linkById(db: Db, link_id: string): Promise<MailedLink | undefined> {
  const row = await db
    .selectFrom('mailed_links')
    .selectAll()
    .where('link_id', '=', link_id)
    .executeTakeFirst()
  return row && toLink(row)
}

export async function linkByKeyHash(db: Db, key_hash: Buffer): Promise<MailedLink | undefined> {
  const row = await db
    .selectFrom('mailed_links')
    .selectAll()
    .where('key_hash', '=', key_hash)
    .executeTakeFirst()
  return row && toLink(row)
}

/** The links of this purpose that were mailed to an address of a user since then, the newest first. */
export function linksSince(
  db: Db,
  {
    user_id,
    purpose,
    email,
    since,
  }: Pick<MailedLink, 'user_id' | 'purpose' | 'email'> & { since: Temporal.Instant },
): Promise<{ link_id: string }[]> {
  return db
    .selectFrom('mailed_links')
    .select('link_id')
    .where('user_id', '=', user_id)
    .where('purpose', '=', purpose)
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .where('opened_at', '>', since)
    .orderBy('opened_at', 'desc')
    .execute()
}

/** Whether a newer link of the same purpose was mailed to the same address of the user. Another address may be a thief's. */
export async function isReplaced(
  db: Db,
  { link_id, user_id, purpose, email, opened_at }: MailedLink,
): Promise<boolean> {
  const newer = await db
    .selectFrom('mailed_links')
    .select('link_id')
    .where('user_id', '=', user_id)
    .where('purpose', '=', purpose)
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .where(sql<boolean>`(opened_at, link_id) > (${opened_at}, ${link_id}::uuid)`)
    .executeTakeFirst()
  return newer !== undefined
}

function toLink({
  owner_id: _owner,
  fence: _fence,
  version: _version,
  ...row
}: Selectable<Tables['mailed_links']>): MailedLink {
  return row as MailedLink
}
