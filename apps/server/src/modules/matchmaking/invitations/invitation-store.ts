import { type Selectable, sql } from 'kysely'
import type { PairClosedReason } from '@duet/protocol'
import type { Role } from '@duet/protocol/kernel/roles.ts'
import { plusMs } from '../../../lib/clock.ts'
import type { Db } from '../../../core/db.ts'
import type { UserId } from '../../../core/ids.ts'
import type { ProcessTable } from '../../../platform/process/process.ts'
import type { Tables } from '../../../core/tables.gen.ts'
import { type FormerRing, type Invitation, isKnownToCallee } from './invitation-rules.ts'

export const invitationTable: ProcessTable<string, Invitation> = {
  name: 'invitations',
  id_column: 'pair_id',
  open: sql`state = 'open'`,
  load: invitationById,
  /** False: one of the two is in an open invitation already. */
  async insert(tx, invitation, stamp) {
    const row = await tx
      .insertInto('invitations')
      .values({ ...invitation, ...stamp })
      .onConflict((conflict) => conflict.doNothing())
      .returning('pair_id')
      .executeTakeFirst()
    return row !== undefined
  },
  async update(tx, invitation, { fence, version }) {
    const { pair_id, state, reason, missed, wake_at, closed_at } = invitation
    const known_to_callee = isKnownToCallee(invitation)
    await tx
      .updateTable('invitations')
      .set({ state, reason, missed, wake_at, closed_at, known_to_callee, version })
      .where('pair_id', '=', pair_id)
      .where('fence', '=', fence)
      .execute()
  },
}

export async function invitationById(db: Db, pair_id: string): Promise<Invitation | undefined> {
  const row = await db
    .selectFrom('invitations')
    .selectAll()
    .where('pair_id', '=', pair_id)
    .executeTakeFirst()
  return row && toInvitation(row)
}

/** The invitation that this caller sent with this id. */
export async function invitationByRandomId(
  db: Db,
  { caller, caller_id }: { readonly caller: Role; readonly caller_id: UserId },
  random_id: string,
): Promise<Invitation | undefined> {
  const row = await db
    .selectFrom('invitations')
    .selectAll()
    .where(sql`case caller when 'guy' then guy_id else girl_id end`, '=', caller_id)
    .where('caller', '=', caller)
    .where('random_id', '=', random_id)
    .executeTakeFirst()
  return row && toInvitation(row)
}

/** The rings of this caller to this callee within the last hour that were missed or declined, and so led to no call. */
export async function formerRings(
  db: Db,
  { guy_id, girl_id, caller }: Pick<Invitation, 'guy_id' | 'girl_id' | 'caller'>,
  now: Temporal.Instant,
): Promise<FormerRing[]> {
  const rows = await db
    .selectFrom('invitations')
    .select(['opened_at', 'closed_at'])
    .where('guy_id', '=', guy_id)
    .where('girl_id', '=', girl_id)
    .where('caller', '=', caller)
    .where('opened_at', '>', plusMs(now, -3_600_000))
    .where((row) => row.or([row('missed', '=', true), row('reason', '=', 'declined')]))
    .execute()
  return rows.map(({ opened_at, closed_at }) => ({ opened_at, closed_at: closed_at! }))
}

/** The last unanswered rings of a caller within a day, at most `limit`. */
export async function unansweredRings(
  db: Db,
  { caller, caller_id }: { readonly caller: Role; readonly caller_id: UserId },
  { now, limit }: { readonly now: Temporal.Instant; readonly limit: number },
): Promise<Pick<FormerRing, 'opened_at'>[]> {
  return db
    .selectFrom('invitations')
    .select('opened_at')
    .where(`${caller}_id`, '=', caller_id)
    .where('caller', '=', caller)
    .where('opened_at', '>', plusMs(now, -86_400_000))
    .where('missed', '=', true)
    .orderBy('opened_at', 'desc')
    .limit(limit)
    .execute()
}

export interface RingInVain extends Pick<
  Invitation,
  'pair_id' | 'guy_id' | 'girl_id' | 'caller' | 'opened_at' | 'missed'
> {
  readonly reason: PairClosedReason
}

interface RingsInVain {
  readonly user_id: UserId
  readonly side: Role
  readonly after: Temporal.Instant
  readonly before?: Pick<RingInVain, 'opened_at' | 'pair_id'> | undefined
}

/**
 * The last rings of a user after this time, as caller or callee, that came to no call, newest first. The callee does not
 * learn of rings that are not recorded.
 */
export async function ringsInVain(db: Db, of: RingsInVain, limit: number): Promise<RingInVain[]> {
  const rows = await selectRingsInVain(db, of, limit).execute()
  return rows.map((row) => ({
    ...row,
    caller: row.caller as Role,
    reason: row.reason as PairClosedReason,
  }))
}

/** The statement of `ringsInVain`. */
export function selectRingsInVain(
  db: Db,
  { user_id, side, after, before }: RingsInVain,
  limit: number,
) {
  return db
    .selectFrom('invitations')
    .select(['pair_id', 'guy_id', 'girl_id', 'caller', 'opened_at', 'missed', 'reason'])
    .where(`${side}_id`, '=', user_id)
    .where('opened_at', '>', after)
    .$if(before !== undefined, (rings) =>
      rings.where(
        sql<boolean>`(opened_at, pair_id) < (${before!.opened_at}, ${before!.pair_id}::uuid)`,
      ),
    )
    .where('state', '=', 'closed')
    .where(({ eb, or }) => or([eb('caller', '=', side), eb('known_to_callee', '=', true)]))
    .orderBy('opened_at', 'desc')
    .orderBy('pair_id', 'desc')
    .limit(limit)
}

function toInvitation(row: Selectable<Tables['invitations']>): Invitation {
  return {
    pair_id: row.pair_id,
    guy_id: row.guy_id,
    girl_id: row.girl_id,
    caller: row.caller as Role,
    random_id: row.random_id,
    free_seconds: row.free_seconds,
    state: row.state as Invitation['state'],
    reason: row.reason as PairClosedReason | null,
    missed: row.missed,
    opened_at: row.opened_at,
    wake_at: row.wake_at,
    closed_at: row.closed_at,
  }
}
