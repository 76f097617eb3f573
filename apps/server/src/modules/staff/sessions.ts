import type { Answer, Body } from '@duet/protocol'
import type { App, Tx } from '../../core/app.ts'
import type { Db } from '../../core/db.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { Staff } from '../../core/viewer.ts'
import { wireTime } from '../../lib/clock.ts'
import { hashToken } from '../../lib/ids.ts'
import { refuse } from '../../lib/refusal.ts'
import { STAFF_COOKIE } from '../../platform/http/find-sender.ts'
import { type Facts, writeAudit } from '../audit/index.ts'
import { setting } from '../settings/index.ts'
import { addSession, endSessions, recordUse } from './sessions-store.ts'
import { memberById, type MemberRow } from './store.ts'

/** The use of a session is stored at most once a minute. */
const USE_SECONDS = 60

/** The token of a session is in a cookie that no script reads and that no other site can send. */
function cookieFor(token: string, maxAgeSeconds: number): string {
  return `${STAFF_COOKIE}=${token}; Path=/; Max-Age=${maxAgeSeconds}; Secure; HttpOnly; SameSite=Strict`
}

/** Opens a session of a member whose factors are proven, and sets its cookie. */
export async function openSession(
  tx: Tx,
  member: Pick<MemberRow, 'id'>,
  context: RequestContext,
  facts: Facts = {},
): Promise<Answer<'POST v2/manager/sign-in'>> {
  const { token, member: row } = await addSession(tx, member.id, context)
  const staff = { id: row.id, address: context.address }
  await writeAudit(tx, { staff, act: 'staff_sign_in', facts })
  context.setCookie?.(cookieFor(token, setting(tx.app, 'staff_session_hours') * 3600))
  return { staff: shownStaff(row) }
}

export function shownStaff({ id, email, role, last_visit_at }: MemberRow) {
  return {
    id,
    email,
    role: role as Staff['staff_role'],
    last_visit: last_visit_at && wireTime(last_visit_at),
  }
}

/** The member of staff of a session's token, with the role of this moment; undefined when either has ended. */
export async function findStaff(
  app: App,
  token: string,
  address: string,
): Promise<Staff | undefined> {
  const now = app.clock.now()
  const row = await app.db
    .selectFrom('staff_sessions as session')
    .innerJoin('staff_members as member', 'member.id', 'session.staff_id')
    .select(['member.id', 'member.email', 'member.role'])
    .select(['session.id as session_id', 'session.used_at', 'session.proven_at'])
    .where('session.token_hash', '=', hashToken(token))
    .where('session.ends_at', '>', now)
    .where('member.ended_at', 'is', null)
    .executeTakeFirst()
  if (!row) return undefined
  if (Temporal.Instant.compare(row.used_at.add({ seconds: USE_SECONDS }), now) < 0)
    await recordUse(app, row.session_id)
  return {
    kind: 'staff',
    id: row.id,
    session_id: row.session_id,
    staff_role: row.role as Staff['staff_role'],
    email: row.email,
    address,
    fresh_until: row.proven_at.add({ minutes: setting(app, 'staff_fresh_minutes') }),
  }
}

/** Whether the member has signed in from this network before. */
export async function isKnownNetwork(db: Db, staff_id: number, network: Buffer): Promise<boolean> {
  const row = await db
    .selectFrom('staff_sessions')
    .select('id')
    .where('staff_id', '=', staff_id)
    .where('network_hash', '=', network)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Acts on money, documents and staff need a proof of the own factors within the last minutes. Refuses second_factor. */
export function requireFresh(app: App, { fresh_until }: Staff): void {
  if (Temporal.Instant.compare(app.clock.now(), fresh_until) >= 0) refuse('second_factor')
}

export async function signOut(
  app: App,
  staff: Staff,
  _input: object,
  context: RequestContext,
): Promise<Answer<'POST v2/manager/sign-out'>> {
  await app.transact(async (tx) => {
    await endSessions(tx, staff.id, staff.session_id)
    await writeAudit(tx, { staff, act: 'staff_sign_out' })
  })
  context.setCookie?.(cookieFor('', 0))
  return {}
}

export async function showMe(app: App, staff: Staff): Promise<Answer<'GET v2/manager/me'>> {
  const row = (await memberById(app.db, staff.id)) ?? refuse('session_invalid')
  const { ends_at } = await app.db
    .selectFrom('staff_sessions')
    .select('ends_at')
    .where('id', '=', staff.session_id)
    .executeTakeFirstOrThrow()
  const isLimited = staff.staff_role === 'moderator'
  return {
    staff: shownStaff(row),
    ends_at: wireTime(ends_at),
    fresh_until: wireTime(staff.fresh_until),
    server_time: wireTime(app.clock.now()),
    translates: app.translator !== undefined,
    most: {
      penalty_coins: setting(app, isLimited ? 'moderator_penalty_coins' : 'manager_penalty_coins'),
      ban_days: isLimited ? setting(app, 'moderator_ban_days') : null,
    },
  }
}

export async function listSessions(
  app: App,
  { id, session_id }: Staff,
): Promise<Answer<'GET v2/manager/sessions'>> {
  const rows = await app.db
    .selectFrom('staff_sessions')
    .selectAll()
    .where('staff_id', '=', id)
    .where('ends_at', '>', app.clock.now())
    .orderBy('used_at', 'desc')
    .limit(100)
    .execute()
  return {
    push_key: app.push.public_key,
    sessions: rows.map((row) => ({
      id: row.id,
      device: row.device,
      country: row.country,
      create_time: wireTime(row.created_at),
      last_used: wireTime(row.used_at),
      current: row.id === session_id,
    })),
  }
}

/** Ends one of the own sessions. Refuses not_found. */
export async function endSession(
  app: App,
  staff: Staff,
  { id: session_id }: Body<'POST v2/manager/sessions/end'>,
): Promise<Answer<'POST v2/manager/sessions/end'>> {
  await app.transact(async (tx) => {
    if ((await endSessions(tx, staff.id, session_id)) === 0) refuse('not_found')
    await writeAudit(tx, { staff, act: 'session_end', facts: { session_id } })
  })
  return {}
}
