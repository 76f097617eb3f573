import type { QuietHours } from '@duet/protocol'
import { plusMs } from '../../lib/clock.ts'
import { fromDecimal } from '../../lib/money.ts'
import type { App } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { Db } from '../../core/tx.ts'
import { blockedWith } from '../blocks/index.ts'
import { isPremium, userById, type UserRow } from '../identity/index.ts'
import { hasAvatar } from '../profile/index.ts'
import { setting } from '../settings/index.ts'
import { affordable } from '../ledger/index.ts'
import { girlRank, guyRank, type Searcher, type Side } from './queue/pairing-rules.ts'
import { getQuota } from '../allowances/index.ts'
import type { Search } from './search-sessions.ts'
import { quietWindow } from './queue/quiet-hours.ts'

/** Bounds of what one search carries in memory; the newest count. */
const blocked_max = 20_000
const recent_max = 500
const day_ms = 86_400_000

/** What pairing must know of somebody, as it is now; nothing when he may be met no more. */
export async function searcherOf(app: App, search: Search): Promise<Searcher | undefined> {
  const row = await userById(app.db, search.user_id)
  if (!row?.role || row.erased_at || (row.role === 'girl' && !(await mayBeMet(app.db, row))))
    return undefined
  const { user_id, side, locales } = search
  const now = app.clock.now()
  const premium = isPremium(row, now)
  return {
    user_id,
    side,
    locales,
    premium,
    rank:
      side === 'girl'
        ? girlRank({ is_top: false, camscore: trialOf(app, row, now) })
        : guyRank(premium),
    country: row.country ?? undefined,
    waiting_since_ms: search.waiting_since.epochMilliseconds,
    excluded: new Set(await blockedWith(app.db, user_id, blocked_max)),
    ...(await metLately(app, app.db, user_id, side)),
    ...(side === 'girl' && herWishes(row, now)),
  }
}

/** A girl is met when her identity is checked and her picture is up. */
export async function mayBeMet(db: Db, row: UserRow): Promise<boolean> {
  return row.verified_at !== null && (await hasAvatar(db, row.id))
}

function herWishes(row: UserRow, now: Temporal.Instant) {
  return {
    only_premium: row.premium_calls_only,
    hides_countries: new Set(row.hide_countries),
    quiet: quietWindow(row.quiet_hours as QuietHours | null, now),
  }
}

/** Until ratings exist, who was verified lately is new and everybody else has no score. */
function trialOf(app: App, row: UserRow, now: Temporal.Instant): 'new' | 'none' {
  if (row.verified_at === null) return 'none'
  const until = plusMs(row.verified_at, setting(app, 'camscore_trial') * day_ms)
  return Temporal.Instant.compare(now, until) < 0 ? 'new' : 'none'
}

async function metLately(app: App, db: Db, user_id: UserId, side: Side) {
  const [own, other] =
    side === 'guy' ? (['guy_id', 'girl_id'] as const) : (['girl_id', 'guy_id'] as const)
  const rematch_ms = setting(app, 'rematch_minutes') * 60_000
  const rows = await db
    .selectFrom('meetings')
    .select([`${other} as id`, 'at'])
    .where(own, '=', user_id)
    .where('at', '>', plusMs(app.clock.now(), -rematch_ms))
    .orderBy('at', 'desc')
    .limit(recent_max)
    .execute()
  return {
    recent: new Map(rows.map(({ id, at }) => [id, at.epochMilliseconds + rematch_ms])),
    last_partner: rows[0]?.id,
  }
}

/** What he lacks for a call: nothing, or the units up to one second at the public price. */
export async function lacking(app: App, db: Db, guy_id: UserId): Promise<bigint> {
  if ((await getQuota(db, guy_id)) > 0) return 0n
  // Rounded up: a second that is paid in part is not paid.
  const second = (fromDecimal('diamond', setting(app, 'price_public')) + 59n) / 60n
  const missing = second - (await affordable(db, guy_id, 'diamond'))
  return missing > 0n ? missing : 0n
}

/** The languages of somebody's last offer. */
export async function lastLocales(db: Db, user_id: UserId, side: Side): Promise<string[]> {
  const row = await db
    .selectFrom('pairs')
    .select(`${side}_locales as locales`)
    .where(`${side}_id`, '=', user_id)
    .orderBy('opened_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.locales ?? []
}

/** The open offer of somebody. */
export async function openPairOf(db: Db, user_id: UserId, side: Side): Promise<string | undefined> {
  const row = await db
    .selectFrom('pairs')
    .select('pair_id')
    .where(`${side}_id`, '=', user_id)
    .where('state', '=', 'open')
    .executeTakeFirst()
  return row?.pair_id
}
