import type { Db } from '../../core/db.ts'
import type { CallSides } from '../../core/hooks.ts'
import { toGift } from './views.ts'

const GIFTS_MAX = 200

function givenGifts(db: Db) {
  return db
    .selectFrom('given_gifts as given')
    .innerJoin('gifts', 'gifts.gift_id', 'given.gift_id')
    .selectAll('gifts')
    .select(['given.price as paid', 'reward', 'giver_id', 'girl_id', 'session_id', 'at'])
}

type Given = Awaited<ReturnType<ReturnType<typeof givenGifts>['executeTakeFirstOrThrow']>>

function named({ paid: price, reward, giver_id, girl_id, session_id, at, ...gift }: Given) {
  return { name: toGift(gift).name, price, reward, giver_id, girl_id, session_id, at }
}

/** One gift that was given, for staff. */
export async function givenGift(db: Db, id: number) {
  const given = await givenGifts(db).where('given.id', '=', id).executeTakeFirst()
  return given && named(given)
}

/** The gifts that he gave her in a call, the first one first. */
export async function giftsInCall(
  db: Db,
  { session_id, guy_id }: Pick<CallSides, 'session_id' | 'guy_id'>,
) {
  const rows = await givenGifts(db)
    .where('giver_id', '=', guy_id)
    .where('session_id', '=', session_id)
    .orderBy('given.id')
    .limit(GIFTS_MAX)
    .execute()
  return rows.map(named)
}
