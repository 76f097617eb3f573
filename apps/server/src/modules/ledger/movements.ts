import { sql } from 'kysely'
import type { Db } from '../../core/db.ts'
import type { UserId } from '../../core/ids.ts'
import type { Asset } from '../../lib/money.ts'
import { accountId } from './account.ts'
import { ASSETS_OF_USERS } from './queries.ts'

export interface MovementRow {
  readonly id: number
  readonly at: Temporal.Instant
  readonly asset: Asset
  readonly amount: bigint
  readonly direction: 'in' | 'out'
  /** Of the account, behind this movement. */
  readonly balance: bigint
  readonly what: string
  readonly cause: string
  readonly cause_id: number | null
  readonly note: string | null
}

export interface MovementFilter {
  readonly asset?: (typeof ASSETS_OF_USERS)[number] | undefined
  readonly purpose?: string | undefined
  readonly from?: Temporal.Instant | undefined
  readonly to?: Temporal.Instant | undefined
}

/** A place in the movements of a user: the next movements are older than this id. */
export interface MovementPlace {
  readonly id: number
  /** Of each asset, before the movements that are newer than the place. */
  readonly balances: readonly bigint[]
}

interface MovementPage {
  readonly rows: readonly MovementRow[]
  /** Null: no movement is older. The next page may be empty and have a next page. */
  readonly next: MovementPlace | null
}

/** A page reads at most these movements, whatever the filters leave out: most pages are full after the first of them. */
const WALKED_FIRST = 1000
export const WALKED_MAX = 50_000
/** The time of a movement and its id are not in one order: a transaction may last. */
const ORDER_MS = 60 * 60_000

type UserAsset = (typeof ASSETS_OF_USERS)[number]
type FoundMovement = Omit<MovementRow, 'balance'>

/** Neighbouring movements. Only the oldest of them may be found; then `id` and the columns beside it are not null. */
type WalkedRun = (FoundMovement | Record<keyof FoundMovement, null>) & {
  readonly last_id: number
  readonly first_at: Temporal.Instant
  readonly walked: number
  /** The moved units of each asset, as text. */
  readonly moved: readonly string[]
  /** The balances of the place where the page begins, as text. */
  readonly newest: readonly string[]
}

interface WalkedPart {
  readonly after?: MovementPlace | null | undefined
  readonly limit: number
}

/**
 * The movements of the accounts of a user, the newest first. Each account and side is one scan of an index. The balance behind a
 * movement is a newer balance without the movements between, so those that filters leave out are walked, too. A page ends
 * after `WALKED_MAX` of them, and the next page continues from there with the balances of the place.
 */
export async function movementsOfUser(
  db: Db,
  user_id: UserId,
  filter: MovementFilter,
  part: WalkedPart,
): Promise<MovementPage> {
  const { limit } = part
  const isWhole = filter.purpose === undefined && filter.to === undefined
  if (isWhole) return readPart(db, user_id, filter, { ...part, walked: limit + 1 })
  const first = await readPart(db, user_id, filter, { ...part, walked: WALKED_FIRST })
  const { rows, next: after } = first
  if (after === null || rows.length === limit) return first
  const left = { after, limit: limit - rows.length, walked: WALKED_MAX }
  const second = await readPart(db, user_id, filter, left)
  return { rows: [...rows, ...second.rows], next: second.next }
}

async function readPart(
  db: Db,
  user_id: UserId,
  filter: MovementFilter,
  part: WalkedPart & { readonly walked: number },
): Promise<MovementPage> {
  const { limit, walked } = part
  const runs = await walkMovements(db, user_id, filter, part)
  const rows: MovementRow[] = []
  let balances = runs[0]?.newest.map(BigInt) ?? []
  let next: MovementPlace | null = null
  for (const run of runs) {
    if (run.id !== null && rows.length === limit) return { rows, next }
    balances = balances.map((balance, place) => balance - BigInt(run.moved[place]!))
    next = { id: run.last_id, balances }
    if (run.id !== null) rows.push(toMovement(run, balances))
  }
  const isOver = runs.reduce((sum, run) => sum + run.walked, 0) < walked
  return { rows, next: isOver || isBefore(runs.at(-1)!, filter.from) ? null : next }
}

function toMovement(found: FoundMovement, before: readonly bigint[]): MovementRow {
  const { id, at, asset, amount, direction, what, cause, cause_id, note } = found
  const former = before[ASSETS_OF_USERS.indexOf(asset as UserAsset)]!
  const balance = direction === 'in' ? former + amount : former - amount
  return { id, at, asset, amount, direction, balance, what, cause, cause_id, note }
}

function isBefore({ first_at }: WalkedRun, from: Temporal.Instant | undefined): boolean {
  return from !== undefined && first_at.epochMilliseconds + ORDER_MS < from.epochMilliseconds
}

async function walkMovements(
  db: Db,
  user_id: UserId,
  { asset, purpose, from, to }: MovementFilter,
  { after, limit, walked }: WalkedPart & { readonly walked: number },
): Promise<readonly WalkedRun[]> {
  const place = after?.id ?? null
  const side = (column: string, direction: string, one: UserAsset) => sql`
    (select id, at, asset, amount, ${direction}::text as direction, what, cause, cause_id, note from transfers
    where ${sql.ref(column)} > 0 and ${sql.ref(column)} = ${accountId({ user_id }, one)}::bigint
      and (${place}::bigint is null or id < ${place}::bigint) order by id desc limit ${walked})`
  const branches = (asset ? [asset] : ASSETS_OF_USERS).flatMap((one) => [
    side('debit_id', 'out', one),
    side('credit_id', 'in', one),
  ])
  const moved = ASSETS_OF_USERS.map(
    (one) => sql`coalesce(sum(case direction when 'in' then amount else - amount end)
      filter (where asset = ${one}), 0)`,
  )
  const newest = ASSETS_OF_USERS.map((one, index) =>
    after
      ? sql`${after.balances[index]!}::bigint`
      : sql`coalesce((select balance from accounts where id = ${accountId({ user_id }, one)}), 0)`,
  )
  const isFound = sql`(${from ?? null}::timestamptz is null or at >= ${from ?? null})
    and (${to ?? null}::timestamptz is null or at < ${to ?? null})
    and (${purpose ?? null}::text is null or what = ${purpose ?? null})`
  const { rows } = await sql<WalkedRun>`
    with moved as (${sql.join(branches, sql` union all `)}),
    marked as (
      select *, count(*) filter (where is_found) over (order by id desc rows unbounded preceding) - is_found::integer as run
      from (select *, ${isFound} as is_found from moved order by id desc limit ${walked}) walked),
    runs as (
      select run, min(id) as last_id, min(at) as first_at, count(*) as walked, array[${sql.join(moved)}]::text[] as moved
      from marked where run <= ${limit} group by run)
    select found.id, at, asset, amount, direction, what, cause, cause_id, note, last_id, first_at, walked, moved,
      array[${sql.join(newest)}]::text[] as newest
    from runs left join marked found on found.run = runs.run and found.is_found
    order by runs.run`.execute(db)
  return rows
}
