import type { GirlProfile, User, UserInterlocutor } from '@duet/protocol'
import type { Selectable } from 'kysely'
import type { Tables } from '../../../core/tables.gen.ts'
import { wireTime } from '../../../lib/clock.ts'

export type UserRow = Selectable<Tables['users']>
type ColumnName = keyof UserRow

/** Groups of readers, the smallest first. A group also reads what the groups after it read. `page`: visitors of a girl's page. */
const READERS = ['server', 'staff', 'owner', 'page', 'everyone'] as const

/** If the owner or others read a column, its name is also a name of the wire. `views.ts` renders everything else. */
type ReaderFor<Name extends ColumnName> =
  | 'server'
  | 'staff'
  | (Name extends keyof User ? 'owner' : never)
  | (Name extends keyof User & keyof GirlProfile ? 'page' : never)
  | (Name extends keyof User & keyof UserInterlocutor ? 'everyone' : never)

interface Declared<Name extends ColumnName> {
  /** The largest group that reads the column as it is stored. */
  readonly read_by: ReaderFor<Name>
  /** The copy of the own data has the column. */
  readonly exported: boolean
}
/** The value of a user who has chosen nothing and done nothing; an erasure stores the value again. */
interface Emptied<Name extends ColumnName> extends Declared<Name> {
  readonly empty: UserRow[Name]
}
/** A tombstone keeps the column, or the module that owns the column empties it. */
interface Kept<Name extends ColumnName> extends Declared<Name> {
  readonly kept: true
}

/** Every column of `users`, once. A new column of the table does not compile until it is declared here. */
export const columns = {
  id: { kept: true, read_by: 'staff', exported: false },
  role: { kept: true, read_by: 'staff', exported: true },
  declared_role: { empty: null, read_by: 'staff', exported: false },
  nick: { empty: null, read_by: 'owner', exported: true },
  email: { empty: null, read_by: 'owner', exported: true },
  password_hash: { empty: null, read_by: 'server', exported: false },
  birthday: { empty: null, read_by: 'owner', exported: true },
  about: { empty: '', read_by: 'page', exported: true },
  phone: { empty: null, read_by: 'owner', exported: true },
  show_country: { empty: false, read_by: 'owner', exported: true },
  country: { empty: null, read_by: 'owner', exported: true },
  region: { empty: null, read_by: 'staff', exported: true },
  locale: { empty: 'en', read_by: 'staff', exported: true },
  theme: { empty: 'system', read_by: 'owner', exported: true },
  ref_code: { empty: null, read_by: 'everyone', exported: true },
  referred_by: { empty: null, read_by: 'staff', exported: false },
  signature: { empty: null, read_by: 'staff', exported: true },
  usdt_wallet: { empty: null, read_by: 'staff', exported: true },
  age_confirmed_at: { empty: null, read_by: 'staff', exported: true },
  terms_version: { empty: null, read_by: 'staff', exported: true },
  email_confirmed_at: { empty: null, read_by: 'staff', exported: true },
  email_trusted_from: { empty: null, read_by: 'staff', exported: true },
  password_changed_at: { empty: null, read_by: 'staff', exported: true },
  premium_until: { empty: null, read_by: 'owner', exported: true },
  premium_end_announced: { empty: null, read_by: 'staff', exported: false },
  verified_at: { empty: null, read_by: 'staff', exported: true },
  noty_email: { empty: true, read_by: 'owner', exported: true },
  noty_push: { empty: true, read_by: 'owner', exported: true },
  noty_premium_guest: { empty: true, read_by: 'owner', exported: true },
  noty_wanted_girl: { empty: true, read_by: 'owner', exported: true },
  safe_video: { empty: false, read_by: 'owner', exported: true },
  auto_accept: { empty: false, read_by: 'owner', exported: true },
  available: { empty: true, read_by: 'owner', exported: true },
  hide_countries: { empty: [], read_by: 'owner', exported: true },
  quiet_hours: { empty: null, read_by: 'owner', exported: true },
  premium_calls_only: { empty: false, read_by: 'owner', exported: true },
  next_avatar_id: { empty: null, read_by: 'staff', exported: false },
  gifts_forbidden: { empty: false, read_by: 'staff', exported: true },
  shows_adult: { empty: false, read_by: 'staff', exported: false },
  default_pay_system: { empty: null, read_by: 'owner', exported: true },
  fingerprint: { empty: null, read_by: 'staff', exported: false },
  registered_at: { empty: null, read_by: 'staff', exported: true },
  last_visit: { empty: null, read_by: 'page', exported: true },
  deletion_asked_at: { empty: null, read_by: 'staff', exported: false },
  second_factor: { empty: false, read_by: 'owner', exported: true },
  created_at: { kept: true, read_by: 'staff', exported: true },
  erased_at: { kept: true, read_by: 'staff', exported: false },
  sanction_id: { kept: true, read_by: 'staff', exported: false },
  avatar_id: { kept: true, read_by: 'staff', exported: false },
  favourites_count: { kept: true, read_by: 'staff', exported: true },
} satisfies { readonly [Name in ColumnName]: Emptied<Name> | Kept<Name> }

type Columns = typeof columns
type EmptiedName = {
  [Name in ColumnName]: Columns[Name] extends { readonly empty: unknown } ? Name : never
}[ColumnName]
type ReadBy<Reader> = {
  [Name in ColumnName]: Columns[Name]['read_by'] extends Reader ? Name : never
}[ColumnName]

/** The columns of each group of readers, in the form of the wire. */
interface WireColumns {
  readonly owner: Pick<User, ReadBy<'owner' | 'page' | 'everyone'>>
  readonly page: Pick<GirlProfile, ReadBy<'page' | 'everyone'>>
  readonly everyone: Pick<UserInterlocutor, ReadBy<'everyone'>>
}

const declared = Object.entries(columns) as [
  ColumnName,
  Declared<ColumnName> & { empty?: unknown },
][]

/** The columns of a user who has chosen nothing. An erasure stores them. */
export const emptyColumns = Object.fromEntries(
  declared.filter(([, column]) => 'empty' in column).map(([name, { empty }]) => [name, empty]),
) as Pick<UserRow, EmptiedName>

export const exportedColumns: readonly ColumnName[] = declared
  .filter(([, { exported }]) => exported)
  .map(([name]) => name)

function namesReadBy(reader: (typeof READERS)[number]): readonly ColumnName[] {
  const least = READERS.indexOf(reader)
  return declared
    .filter(([, { read_by }]) => READERS.indexOf(read_by) >= least)
    .map(([name]) => name)
}

const NAMES = {
  staff: namesReadBy('staff'),
  owner: namesReadBy('owner'),
  page: namesReadBy('page'),
  everyone: namesReadBy('everyone'),
}

export function staffColumns(row: UserRow): Partial<UserRow> {
  return Object.fromEntries(NAMES.staff.map((name) => [name, row[name]]))
}

/** The columns of a user that this group reads, in the form of the wire. */
export function columnsFor<Reader extends keyof WireColumns>(
  reader: Reader,
  row: Pick<UserRow, EmptiedName>,
): WireColumns[Reader] {
  const names = NAMES[reader] as readonly EmptiedName[]
  return Object.fromEntries(
    names.map((name) => [name, onWire(row[name])]),
  ) as unknown as WireColumns[Reader]
}

function onWire(value: unknown): unknown {
  if (value instanceof Temporal.Instant) return wireTime(value)
  return value instanceof Temporal.PlainDate ? value.toString() : value
}
