import { type Selectable, sql } from 'kysely'
import type { Answer, Query, UserInterlocutor } from '@duet/protocol'
import type { GivenGift, ReceivedGift } from '@duet/protocol/contracts/gifts.ts'
import type { App } from '../../core/app.ts'
import type { Db } from '../../core/db.ts'
import type { CallSides } from '../../core/hooks.ts'
import type { UserId } from '../../core/ids.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { Tables } from '../../core/tables.gen.ts'
import type { Member, Viewer } from '../../core/viewer.ts'
import { wireTime } from '../../lib/clock.ts'
import { toWire } from '../../lib/money.ts'
import { offsetAndLimit, paginate } from '../../lib/paging/pagination.ts'
import { hiddenFromRequest } from '../favourites/index.ts'
import { interlocutors } from '../identity/index.ts'
import { type GiftRow, toGift } from './views.ts'

type GivenRow = Selectable<Tables['given_gifts']>

const GIFTS_MAX = 200

/** Every gift that was ever on sale, the cheapest first. */
export function readGifts(db: Db): Promise<GiftRow[]> {
  return db
    .selectFrom('gifts')
    .selectAll()
    .orderBy('price')
    .orderBy('gift_id')
    .limit(GIFTS_MAX)
    .execute()
}

/** How many gifts he gave her in a call. */
export async function giftsOfCall(db: Db, { session_id, guy_id }: CallSides) {
  const { gifts } = await db
    .selectFrom('given_gifts')
    .select(sql<number>`count(*)::integer`.as('gifts'))
    .where('giver_id', '=', guy_id)
    .where('session_id', '=', session_id)
    .executeTakeFirstOrThrow()
  return { gifts }
}

export async function giftsOnSale(
  app: App,
  _viewer: Viewer,
  { lang }: Query<'GET gifts'>,
  context: RequestContext,
): Promise<Answer<'GET gifts'>> {
  const rows = await readGifts(app.db)
  const locale = lang ?? context.locale
  return { gifts: rows.filter(({ on_sale }) => on_sale).map((row) => toGift(row, locale)) }
}

export function findGift(db: Db, gift_id: number): Promise<GiftRow | undefined> {
  return db.selectFrom('gifts').selectAll().where('gift_id', '=', gift_id).executeTakeFirst()
}

export function findGiven(
  db: Db,
  { giver_id, random_id }: Pick<GivenRow, 'giver_id' | 'random_id'>,
): Promise<GivenRow | undefined> {
  return db
    .selectFrom('given_gifts')
    .selectAll()
    .where('giver_id', '=', giver_id)
    .where('random_id', '=', random_id)
    .executeTakeFirst()
}

/** The gifts that a girl received, or a guy gave, the newest first. A user who hides from the viewer is not named. */
export async function giftList(
  app: App,
  viewer: Member,
  request: Query<'GET girl_gifts'>,
  context: RequestContext,
): Promise<Answer<'GET girl_gifts'>> {
  const { offset, limit } = offsetAndLimit(request)
  const [own, other] =
    viewer.role === 'girl' ? (['girl_id', 'giver_id'] as const) : (['giver_id', 'girl_id'] as const)
  const rows = await app.db
    .selectFrom('given_gifts')
    .innerJoin('gifts', 'gifts.gift_id', 'given_gifts.gift_id')
    .select([
      'id',
      'given_gifts.gift_id',
      'word',
      'names',
      'on_sale',
      'given_gifts.price',
      'reward',
      'at',
    ])
    .select(`given_gifts.${other} as user_id`)
    .where(`given_gifts.${own}`, '=', viewer.id)
    .orderBy('id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute()
  const total = await readTotal(app.db, viewer.id)
  const page = paginate(request, rows, total.count)
  const people = await shownPeople(app, viewer, context, [
    ...new Set(rows.map(({ user_id }) => user_id)),
  ])
  const locale = request.lang ?? viewer.locale
  const items = page.items.map((row): ReceivedGift | GivenGift => {
    const { id, user_id } = row
    const person = people.get(user_id)
    const known = { id, gift: toGift(row, locale), create_time: wireTime(row.at) }
    return viewer.role === 'girl'
      ? { ...known, nick: person?.nick ?? '', user_id, reward: toWire('coin', row.reward) }
      : { ...known, user_interlocutor: person ?? null, price: toWire('diamond', row.price) }
  })
  const asset = viewer.role === 'girl' ? 'coin' : 'diamond'
  return { ...page, items, sum: toWire(asset, total.amount) }
}

async function readTotal(db: Db, user_id: UserId): Promise<{ count: number; amount: bigint }> {
  const row = await db
    .selectFrom('gift_totals')
    .select(['count', 'amount'])
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return row ?? { count: 0, amount: 0n }
}

async function shownPeople(
  app: App,
  viewer: Member,
  context: RequestContext,
  ids: readonly UserId[],
): Promise<Map<UserId, UserInterlocutor>> {
  const hidden = await hiddenFromRequest(app, viewer, context, ids)
  const shown = ids.filter((id) => !hidden.has(id))
  const people = await interlocutors(app, app.db, viewer.id, shown)
  return new Map(people.map((person) => [person.id, person]))
}
