import type { Role } from '@duet/protocol/kernel/roles.ts'
import type { QuietHours } from '@duet/protocol'
import { plusMs } from '../../lib/clock.ts'
import { fromDecimal } from '../../lib/money.ts'
import { refuse } from '../../lib/refusal.ts'
import type { App, AppContext, Tx } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import { type Db, readTogether } from '../../core/db.ts'
import { blockedWith } from '../blocks/index.ts'
import { isNewGirl, isPremium, userById, type UserRow } from '../identity/index.ts'
import { hasAvatar, quietWindow } from '../profile/index.ts'
import { setting } from '../settings/index.ts'
import { affordable, missingOnWire } from '../ledger/index.ts'
import { girlRank, guyRank, type Searcher } from './queue/pairing-rules.ts'
import type { MatchRecord } from './queue/match-record.ts'
import { getQuota } from '../allowances/index.ts'
import { isCompanion } from './offers/companion-source.ts'
import type { SearchSession } from './search-sessions.ts'

/** Limits of the data that a search has in memory. The newest rows are used. */
const BLOCKED_MAX = 20_000
const RECENT_MAX = 500

/** The current data of a user that pairing needs; undefined if the user may not be offered any more. */
export async function readSearcher(app: App, search: SearchSession): Promise<Searcher | undefined> {
  const { user_id, side } = search
  const { db } = app
  const [row, isShown, blocked, meetings] = await readTogether(db, [
    () => userById(db, user_id),
    () => (side === 'girl' ? hasAvatar(db, user_id) : Promise.resolve(true)),
    () => blockedWith(db, user_id, BLOCKED_MAX),
    () => recentMeetings(app, db, user_id, side),
  ])
  if (
    !row?.role ||
    row.erased_at ||
    row.sanction_id !== null ||
    !isShown ||
    (side === 'girl' && row.verified_at === null)
  )
    return undefined
  const now = app.clock.now()
  const premium = isPremium(row, now)
  return {
    user_id,
    side,
    locales: listLanguages(search.locales, row.locale),
    premium,
    rank: side === 'girl' ? readGirlRank(app, row) : guyRank(premium),
    country: row.country ?? undefined,
    waiting_since_ms: search.waiting_since.epochMilliseconds,
    excluded: new Set(blocked),
    ...meetings,
    ...(isCompanion(app, search) && { is_companion: true }),
    ...(side === 'girl' && girlPreferences(row, now)),
  }
}

/** The languages that a user asks for; without a wish the language of the user's own pages. */
export function listLanguages(wish: readonly string[], own: string): readonly string[] {
  return wish.length > 0 ? wish : [own]
}

/** A girl is offered when her identity is verified and her picture is approved. */
export async function mayBeOffered(db: Db, row: UserRow): Promise<boolean> {
  return row.verified_at !== null && (await hasAvatar(db, row.id))
}

function girlPreferences(row: UserRow, now: Temporal.Instant) {
  return {
    only_premium: row.premium_calls_only,
    hides_countries: new Set(row.hide_countries),
    quiet: quietWindow(row.quiet_hours as QuietHours | null, now),
  }
}

/** The place of a girl in queues and lists. Until ratings exist, she is new at first, and has no score afterwards. */
export function readGirlRank(
  context: AppContext,
  row: Pick<UserRow, 'role' | 'verified_at'>,
): number {
  return girlRank({ is_top: false, camscore: isNewGirl(context, row) ? 'new' : 'none' })
}

async function recentMeetings(app: App, db: Db, user_id: UserId, side: Role) {
  const [own, other] =
    side === 'guy' ? (['guy_id', 'girl_id'] as const) : (['girl_id', 'guy_id'] as const)
  const rematchMs = setting(app, 'rematch_minutes') * 60_000
  const rows = await db
    .selectFrom('meetings')
    .select([`${other} as id`, 'at'])
    .where(own, '=', user_id)
    .where('at', '>', plusMs(app.clock.now(), -rematchMs))
    .orderBy('at', 'desc')
    .limit(RECENT_MAX)
    .execute()
  return {
    recent: new Map(rows.map(({ id, at }) => [id, at.epochMilliseconds + rematchMs])),
    last_partner: rows[0]?.id,
  }
}

/** Units that a guy lacks for one second at the public price; 0 with quota left. */
export async function missingFunds(app: App, db: Db, guy_id: UserId): Promise<bigint> {
  if ((await getQuota(db, guy_id)) > 0) return 0n
  // Rounded up: a part of a second cannot be paid.
  const second = (fromDecimal('diamond', setting(app, 'price_public')) + 59n) / 60n
  const missing = second - (await affordable(db, guy_id, 'diamond'))
  return missing > 0n ? missing : 0n
}

async function assertCanAfford(app: App, db: Db, guy_id: UserId): Promise<void> {
  const missing = await missingFunds(app, db, guy_id)
  if (missing > 0n) refuse('no_balance', { missing: missingOnWire('diamond', missing) })
}

/**
 * Conditions for a search, checked again at the acceptance: while an offer is open, money can be spent, and
 * a verification or a picture can be withdrawn.
 * @throws Refusal `no_balance`, `verification_required` or `avatar_required`
 */
export async function assertMaySearch(
  app: App,
  db: Db,
  user_id: UserId,
  side: Role,
): Promise<void> {
  if (side === 'guy') return assertCanAfford(app, db, user_id)
  if ((await userById(db, user_id))?.verified_at == null) refuse('verification_required')
  if (!(await hasAvatar(db, user_id))) refuse('avatar_required')
}

/** The languages of a user's last offer. */
export async function lastLocales(db: Db, user_id: UserId, side: Role): Promise<string[]> {
  const row = await db
    .selectFrom('pairs')
    .select(`${side}_locales as locales`)
    .where(`${side}_id`, '=', user_id)
    .orderBy('opened_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.locales ?? []
}

/** The id of a user's open offer. */
export async function findOpenPair(
  db: Db,
  user_id: UserId,
  side: Role,
): Promise<string | undefined> {
  return (await findOpenOffer(db, user_id, side))?.pair_id
}

/** The user's open offer. */
export function findOpenOffer(
  db: Db,
  user_id: UserId,
  side: Role,
): Promise<{ pair_id: string; guy_id: UserId; girl_id: UserId } | undefined> {
  return db
    .selectFrom('pairs')
    .select(['pair_id', 'guy_id', 'girl_id'])
    .where(`${side}_id`, '=', user_id)
    .where('state', '=', 'open')
    .executeTakeFirst()
}

/** Whether the girl is hidden from the guy: one blocked the other, or she hides from the country where he is now. */
export async function isHiddenPair(
  tx: Tx,
  { guy_id, girl_id }: { readonly guy_id: UserId; readonly girl_id: UserId },
): Promise<boolean> {
  return (await tx.app.hooks.hiddenUsers(tx, { id: guy_id }, [girl_id])).has(girl_id)
}

/** The last offers of a user on either side, newest first, with the record of the match. */
export async function recentOffers(db: Db, user_id: UserId, limit: number) {
  const rows = await Promise.all(
    (['guy', 'girl'] as const).map((side) =>
      db
        .selectFrom('pairs')
        .select(['pair_id', 'kind', 'guy_id', 'girl_id', 'state', 'reason', 'opened_at'])
        .select('match_record')
        .where(`${side}_id`, '=', user_id)
        .orderBy('opened_at', 'desc')
        .limit(limit)
        .execute(),
    ),
  )
  return rows.flat().map(({ match_record, ...row }) => ({
    ...row,
    match_record: match_record as MatchRecord | null,
  }))
}
