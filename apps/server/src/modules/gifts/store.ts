import { sql } from 'kysely'
import type { Insertable } from 'kysely'
import type { Tx } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { Tables } from '../../core/tables.gen.ts'

type NewGiven = Omit<Insertable<Tables['given_gifts']>, 'at'>

/** Returns the id of the gift. Undefined if the giver has used the random_id. */
export async function insertGiven(tx: Tx, given: NewGiven): Promise<number | undefined> {
  const row = await tx
    .insertInto('given_gifts')
    .values({ ...given, at: tx.now })
    .onConflict((conflict) => conflict.columns(['giver_id', 'random_id']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** Adds a gift to the sums of one of its two users. */
export async function addTotal(tx: Tx, user_id: UserId, amount: bigint): Promise<void> {
  await sql`
    insert into gift_totals as total (user_id, count, amount) values (${user_id}, 1, ${amount})
    on conflict (user_id) do update
      set count = total.count + 1, amount = total.amount + excluded.amount`.execute(tx)
}

/** Names a gift in a language; null: as the locale files do. False if there is no such gift. */
export async function nameGift(
  tx: Tx,
  gift_id: number,
  { lang, name }: { readonly lang: string; readonly name: string | null },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update gifts set names = case when ${name}::text is null then names - ${lang}::text
      else names || jsonb_build_object(${lang}::text, ${name}::text) end
    where gift_id = ${gift_id}`.execute(tx)
  return numAffectedRows === 1n
}

/** A gift whose change is decided in this transaction. */
export function lockGift(tx: Tx, gift_id: number) {
  return tx
    .selectFrom('gifts')
    .select(['price', 'on_sale', 'names'])
    .where('gift_id', '=', gift_id)
    .forUpdate()
    .executeTakeFirst()
}

/** Changes a gift on sale. False if there is no such gift. */
export async function changeGift(
  tx: Tx,
  gift_id: number,
  change: { readonly price?: bigint; readonly on_sale?: boolean },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('gifts')
    .set(change)
    .where('gift_id', '=', gift_id)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}
