import { sql } from 'kysely'
import type { Tx } from '../../../core/app.ts'
import type { Db } from '../../../core/db.ts'
import type { UserId } from '../../../core/ids.ts'

export async function sealedTranslation(db: Db, key: string): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('translations')
    .select('sealed')
    .where('key', '=', key)
    .executeTakeFirst()
  return row?.sealed
}

export async function insertTranslation(tx: Tx, key: string, sealed: Buffer): Promise<void> {
  await tx
    .insertInto('translations')
    .values({ key, sealed, at: tx.now })
    .onConflict((same) => same.column('key').doNothing())
    .execute()
}

export interface CharactersUse {
  readonly user_id: UserId
  readonly day: Temporal.PlainDate
  readonly characters: number
}

/** Takes characters of a user's day and of everybody's; the caller rolls back when one of them has too few left. */
export async function takeCharacters(
  tx: Tx,
  { user_id, day, characters }: CharactersUse,
  { user_max, all_max }: { readonly user_max: number; readonly all_max: number },
): Promise<'taken' | 'user_used_up' | 'all_used_up'> {
  const own = await sql`
    insert into translation_uses as own (user_id, day, characters)
    select ${user_id}, ${day}::date, ${characters}::integer where ${characters}::integer <= ${user_max}::integer
    on conflict (user_id, day) do update set characters = own.characters + ${characters}::integer
    where own.characters + ${characters}::integer <= ${user_max}::integer`.execute(tx)
  if (own.numAffectedRows === 0n) return 'user_used_up'
  const all = await sql`
    insert into translation_days as total (day, characters)
    select ${day}::date, ${characters}::bigint where ${characters}::bigint <= ${all_max}::bigint
    on conflict (day) do update set characters = total.characters + ${characters}::bigint
    where total.characters + ${characters}::bigint <= ${all_max}::bigint`.execute(tx)
  return all.numAffectedRows === 0n ? 'all_used_up' : 'taken'
}

/** Gives the characters of a text that was not translated back. */
export async function returnCharacters(
  tx: Tx,
  { user_id, day, characters }: CharactersUse,
): Promise<void> {
  await sql`
    update translation_uses set characters = greatest(0, characters - ${characters}::integer)
    where user_id = ${user_id} and day = ${day}::date`.execute(tx)
  await sql`
    update translation_days set characters = greatest(0, characters - ${characters}::bigint)
    where day = ${day}::date`.execute(tx)
}
