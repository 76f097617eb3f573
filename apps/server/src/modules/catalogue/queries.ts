import { type RawBuilder, sql } from 'kysely'
import type { QuietHours } from '@duet/protocol'
import type { Db } from '../../core/db.ts'
import type { UserId } from '../../core/ids.ts'
import type { GirlList, Position } from './girl-list.ts'

/** A girl of a list, with the facts that decide who sees her. */
export interface ListedGirl {
  readonly girl_id: UserId
  /** Verified, with an approved avatar, neither banned nor leaving: her own rows say it, not the copy. */
  readonly is_listed: boolean
  readonly premium_calls_only: boolean
  readonly quiet_hours: QuietHours | null
}

export interface GirlRow extends ListedGirl {
  readonly rank: number
  readonly place: number
  readonly verified_ms: number
  readonly name: string
}

const FACTS = sql`
  (girl.role = 'girl' and girl.verified_at is not null and girl.erased_at is null and girl.deletion_asked_at is null
    and girl.sanction_id is null and picture.status = 'ready') is true as is_listed,
  girl.premium_calls_only, girl.quiet_hours`

/** The next girls of a list after a place, at most `limit`. */
export async function readGirls(
  db: Db,
  list: GirlList,
  after: Position | undefined,
  limit: number,
): Promise<readonly GirlRow[]> {
  return (await selectGirls(list, after, limit).execute(db)).rows
}

/** The limit stands inside, so that no more rows are joined than the page needs (CT2). */
export function selectGirls(
  list: GirlList,
  after: Position | undefined,
  limit: number,
): RawBuilder<GirlRow> {
  const order = getOrder(list)
  return sql<GirlRow>`
    select entry.girl_id, entry.rank, entry.place, entry.verified_ms, entry.name, ${FACTS}
    from (
      select * from catalogue_girls where ${getConditions(list, after)} order by ${order} limit ${limit}::integer
    ) entry
    join users girl on girl.id = entry.girl_id left join media picture on picture.id = girl.avatar_id
    order by ${order}`
}

/** The same facts of the given girls, in the given order. Users who are no girls are left out. */
export async function readGirlsByIds(
  db: Db,
  ids: readonly UserId[],
): Promise<readonly ListedGirl[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<ListedGirl>`
    select girl.id as girl_id, ${FACTS}
    from users girl left join media picture on picture.id = girl.avatar_id
    where girl.id = any(${[...ids]}::bigint[])`.execute(db)
  const byId = new Map(rows.map((row) => [row.girl_id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** The columns of the order, as an index of the table has them. */
export function toPosition({ order }: GirlList, row: GirlRow): Position {
  if (order === 'best') return [row.rank, row.place, row.girl_id]
  if (order === 'new') return [row.verified_ms, row.girl_id]
  return order === 'name' ? [row.name, row.girl_id] : [row.place, row.girl_id]
}

/** The latest verified and the latest who came online are the last of their index. */
function isBackwards({ order, is_online }: GirlList): boolean {
  return order === 'new' || (order === 'online' && is_online === true)
}

function getOrder(list: GirlList): RawBuilder<unknown> {
  const way = sql.raw(isBackwards(list) ? 'desc' : 'asc')
  return sql.join(getColumns(list).map((column) => sql`${sql.ref(column)} ${way}`))
}

function getColumns({ order }: GirlList): readonly string[] {
  if (order === 'best') return ['rank', 'place', 'girl_id']
  if (order === 'new') return ['verified_ms', 'girl_id']
  return order === 'name' ? ['name', 'girl_id'] : ['place', 'girl_id']
}

/** After every name that begins so: no letter comes later. */
const LAST_LETTER = '\u{10FFFF}'

function getConditions(list: GirlList, after: Position | undefined): RawBuilder<unknown> {
  const { is_online, language, top, name } = list
  const conditions = [
    ...(is_online === undefined ? [] : [sql`is_online = ${is_online}::boolean`]),
    ...(language === undefined ? [] : [sql`locale = ${language}::text`]),
    ...(top ? [sql`rank = 0`] : []),
    ...(name === '' ? [] : [sql`name >= ${name}::text and name < ${name + LAST_LETTER}::text`]),
    ...(after ? [isAfter(list, after)] : []),
  ]
  return sql.join(conditions.length > 0 ? conditions : [sql`true`], sql` and `)
}

function isAfter(list: GirlList, after: Position): RawBuilder<unknown> {
  const columns = sql.join(getColumns(list).map((column) => sql.ref(column)))
  const values = sql.join(
    after.map((value) => (typeof value === 'string' ? sql`${value}::text` : sql`${value}::bigint`)),
  )
  return sql`(${columns}) ${sql.raw(isBackwards(list) ? '<' : '>')} (${values})`
}
