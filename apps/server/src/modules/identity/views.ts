import { toGender, type Role, wireRole } from '@duet/protocol/kernel/roles.ts'
import type { User, UserInterlocutor } from '@duet/protocol'
import { isLocale } from '@duet/protocol'
import { msBetween, productDay } from '../../lib/clock.ts'
import type { AppContext } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import { type Db, readTogether } from '../../core/db.ts'
import { refuse } from '../../lib/refusal.ts'
import { setting } from '../settings/index.ts'
import { columnsFor, emptyColumns, type UserRow } from './users/columns.ts'
import { userById, usersByIds } from './users/queries.ts'
import { ageOn } from './users/rules.ts'
import { derivedToken, type LoginKey } from './tokens/tokens.ts'
import { isPremium } from './viewer.ts'

/**
 * The own record: the fields of this module and the fields of the other modules. The types cannot show that every field
 * of the contract is present, so views.test.ts does.
 */
export async function ownUser(
  app: AppContext,
  db: Db,
  key: LoginKey,
  locale = 'en',
): Promise<User> {
  const row = await userById(db, key.user_id)
  const fields: Partial<User> = {
    ...rowFields(row ?? { ...emptyColumns, role: null }, app.clock.now()),
    id: key.user_id,
    locale: toLocale(row ?? { locale }),
    ortc_token: derivedToken(app, 'ortc', key),
    fs_token: derivedToken(app, 'fs', key),
  }
  return Object.assign(fields, await app.hooks.ownFields(db, key.user_id)) as User
}

type OwnRow = Omit<
  UserRow,
  'id' | 'created_at' | 'erased_at' | 'avatar_id' | 'favourites_count' | 'sanction_id'
>

function rowFields(row: OwnRow, now: Temporal.Instant): Partial<User> {
  const { declared_role, role, verified_at } = row
  return {
    ...columnsFor('owner', row),
    gender: declared_role === null ? null : toGender(declared_role as Role),
    role: role === null ? null : wireRole(role as Role),
    is_premium: isPremium(row, now),
    info: {
      is_verify: verified_at !== null,
      usdt_wallet: row.usdt_wallet,
      verify_state: verified_at ? 'verified' : 'none',
    },
    age_confirmed: row.age_confirmed_at !== null,
    email_confirmed: row.email_confirmed_at !== null,
  }
}

/** These users as the viewer sees them, in the given order; guests and erased users are left out. */
export async function interlocutors(
  app: AppContext,
  db: Db,
  viewerId: UserId | null,
  ids: readonly UserId[],
): Promise<UserInterlocutor[]> {
  if (ids.length === 0) return []
  const [rows, added] = await readTogether(db, [
    () => membersByIds(db, ids),
    () => app.hooks.publicFields(db, viewerId, ids),
  ])
  const usersById = new Map(
    rows.map((row) => [row.id, Object.assign(publicUser(app, row), added.get(row.id))]),
  )
  return ids.flatMap((id) => usersById.get(id) ?? [])
}

/** One user is read in a statement that callers share: an offer shows two, each to the other. */
async function membersByIds(db: Db, ids: readonly UserId[]): Promise<UserRow[]> {
  const rows = ids.length === 1 ? [await userById(db, ids[0]!)] : await usersByIds(db, ids)
  return rows
    .filter((row) => row !== undefined)
    .filter((row) => row.role !== null && row.erased_at === null)
}

/** One user as the viewer sees them. Refuses not_found. */
export async function interlocutor(
  app: AppContext,
  db: Db,
  viewerId: UserId | null,
  id: UserId,
): Promise<UserInterlocutor> {
  const [user] = await interlocutors(app, db, viewerId, [id])
  return user ?? refuse('not_found')
}

function publicUser(app: AppContext, row: UserRow): UserInterlocutor {
  const now = app.clock.now()
  return {
    id: row.id,
    ...columnsFor('everyone', row),
    nick: row.nick ?? '',
    role: wireRole(row.role as Role),
    avatar: null,
    ...(row.role === 'girl' && row.birthday && { age: ageOn(row.birthday, productDay(now)) }),
    locale: toLocale(row),
    ...(row.show_country && row.country && { country: row.country }),
    is_premium: isPremium(row, now),
    is_favorite: false,
    ...(isNewGirl(app, row) && { is_new: true }),
    status: 'offline',
    sub_status: null,
  }
}

const DAY_MS = 86_400_000

/** Whether a girl is new: her identity was verified a few days ago. */
export function isNewGirl(
  app: AppContext,
  { role, verified_at }: Pick<UserRow, 'role' | 'verified_at'>,
): boolean {
  if (role !== 'girl' || verified_at === null) return false
  return msBetween(verified_at, app.clock.now()) < setting(app, 'camscore_trial') * DAY_MS
}

function toLocale(row: { readonly locale: string }): User['locale'] {
  return isLocale(row.locale) ? row.locale : 'en'
}
