import type { Selectable } from 'kysely'
import type { User } from '@duet/protocol'
import { parseId } from '@duet/protocol/kernel/parse-id.ts'
import type { UserId } from '../../core/ids.ts'
import type { Db } from '../../core/db.ts'
import type { Tables } from '../../core/tables.gen.ts'
import { batchedRead, inKeys } from '../../platform/database/statements/batched-read.ts'
import type { IdentityCheck } from './check/check-rules.ts'
import { toCheck } from './check/check-store.ts'

type VerifyState = User['info']['verify_state']

/** The user of a check that waits, by the id of its case. */
export async function checkedUsers(db: Db, id: string): Promise<UserId[] | undefined> {
  const check_id = parseId(id)
  const check = check_id && (await checkById(db, check_id))
  return check && check.state === 'checking' ? [check.user_id] : undefined
}

export async function checkById(db: Db, check_id: number): Promise<IdentityCheck | undefined> {
  const row = await db
    .selectFrom('identity_checks')
    .selectAll()
    .where('check_id', '=', check_id)
    .executeTakeFirst()
  return row && toCheck(row)
}

export async function checksByIds(db: Db, ids: readonly number[]): Promise<IdentityCheck[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('identity_checks')
    .selectAll()
    .where('check_id', 'in', [...ids])
    .execute()
  return rows.map(toCheck)
}

/** The checks of a user that are not over: at most one in each state. */
export async function readOpenChecks(db: Db, user_id: UserId): Promise<IdentityCheck[]> {
  const rows = await db
    .selectFrom('identity_checks')
    .selectAll()
    .where('user_id', '=', user_id)
    .where('state', 'in', ['checking', 'verified'])
    .orderBy('check_id')
    .execute()
  return rows.map(toCheck)
}

/** Checks that wait for a decision, the longest wait first. */
export async function waitingChecks(db: Db, limit: number): Promise<IdentityCheck[]> {
  const rows = await db
    .selectFrom('identity_checks')
    .selectAll()
    .where('state', '=', 'checking')
    .orderBy('opened_at')
    .limit(limit)
    .execute()
  return rows.map(toCheck)
}

/** A page of the desk: what waits, the longest wait first, or what was decided, the latest first. */
export async function readDeskChecks(
  db: Db,
  state: 'waiting' | 'decided',
  {
    offset,
    limit,
    own,
  }: { readonly offset: number; readonly limit: number; readonly own: UserId | undefined },
): Promise<IdentityCheck[]> {
  const checks = db
    .selectFrom('identity_checks')
    .selectAll()
    .$if(own !== undefined, (all) => all.where('user_id', '!=', own!))
    .offset(offset)
    .limit(limit)
  const rows =
    state === 'waiting'
      ? checks.where('state', '=', 'checking').orderBy('opened_at')
      : checks.where('decided_at', 'is not', null).orderBy('check_id', 'desc')
  return (await rows.execute()).map(toCheck)
}

/** The state of a user, as the own record and `GET kyc` show it. */
export interface Standing {
  readonly is_verify: boolean
  readonly state: VerifyState
  readonly reason: string | null
  /** The check that ended last, where it matters. */
  readonly ended: IdentityCheck | undefined
  /** The end of the verification that counts now. */
  readonly expires_at: Temporal.Instant | null
  /** The check that waits for a decision. */
  readonly checking: IdentityCheck | undefined
  readonly verified: IdentityCheck | undefined
}

/**
 * The check that matters to the user: the waiting check, else the verification, else the check that ended
 * last. A user that the operator added as verified has no check.
 */
export async function readStanding(db: Db, user_id: UserId): Promise<Standing> {
  const user = await db
    .selectFrom('users')
    .select('verified_at')
    .where('id', '=', user_id)
    .executeTakeFirst()
  const is_verify = user?.verified_at != null
  const open = await readOpenChecks(db, user_id)
  const checking = open.find(({ state }) => state === 'checking')
  const verified = open.find(({ state }) => state === 'verified')
  const shown = {
    is_verify,
    checking,
    verified,
    ended: undefined,
    expires_at: verified?.expires_at ?? null,
  }
  if (checking) return { ...shown, state: 'checking', reason: null }
  const last = await findLastClosedCheck(db, user_id)
  if (is_verify) {
    const renewal = verified && last && last.check_id > verified.check_id ? last : undefined
    return { ...shown, state: 'verified', reason: renewal?.reason ?? null, ended: renewal }
  }
  return last
    ? { ...shown, state: 'declined', reason: last.reason, ended: last }
    : { ...shown, state: 'none', reason: null }
}

/** The check that ended last: a renewal may be declined long before the verification ends. */
async function findLastClosedCheck(db: Db, user_id: UserId): Promise<IdentityCheck | undefined> {
  const row = await db
    .selectFrom('identity_checks')
    .selectAll()
    .where('user_id', '=', user_id)
    .where('closed_at', 'is not', null)
    .orderBy('closed_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && toCheck(row)
}

/** The verification of each user, with the state of the last check. */
const verificationById = batchedRead(
  async (db: Db, ids: readonly UserId[]) =>
    new Map(
      (
        await db
          .selectFrom('users')
          .leftJoin('identity_checks as last', (join) =>
            join.onRef('last.user_id', '=', 'users.id').on((on) =>
              on(
                'last.check_id',
                '=',
                on
                  .selectFrom('identity_checks')
                  .select((expression) => expression.fn.max<number>('check_id').as('check_id'))
                  .whereRef('user_id', '=', 'users.id'),
              ),
            ),
          )
          .select(['users.id', 'users.verified_at', 'users.usdt_wallet', 'last.state'])
          .where('users.id', '=', inKeys(ids))
          .execute()
      ).map((row) => [row.id, row]),
    ),
)

/** This module's part of the own record. */
export async function ownFields(db: Db, user_id: UserId): Promise<Partial<User>> {
  const row = await verificationById(db, user_id)
  if (!row) return {}
  const is_verify = row.verified_at !== null
  return {
    info: {
      is_verify,
      usdt_wallet: row.usdt_wallet,
      verify_state: shownState(is_verify, row.state),
    },
  }
}

function shownState(is_verify: boolean, last: string | null): VerifyState {
  if (last === 'checking') return 'checking'
  if (is_verify) return 'verified'
  return last === null || last === 'verified' ? 'none' : 'declined'
}

export type DocumentRow = Selectable<Tables['identity_documents']>

export function readDocuments(db: Db, check_id: number): Promise<DocumentRow[]> {
  return db
    .selectFrom('identity_documents')
    .selectAll()
    .where('check_id', '=', check_id)
    .orderBy('side')
    .execute()
}

export interface StoredChallenge {
  readonly challenge_id: string
  readonly gesture: string
  readonly expires_at: Temporal.Instant
}

export function readChallenge(db: Db, user_id: UserId): Promise<StoredChallenge | undefined> {
  return db
    .selectFrom('identity_challenges')
    .select(['challenge_id', 'gesture', 'expires_at'])
    .where('user_id', '=', user_id)
    .executeTakeFirst()
}

/** Whether the provider declined this user for good. */
export async function hasFinalAnswer(db: Db, user_id: UserId): Promise<boolean> {
  const row = await db
    .selectFrom('kyc_applicants')
    .select('applicant_id')
    .where('user_id', '=', user_id)
    .where('is_final', '=', true)
    .executeTakeFirst()
  return row !== undefined
}
