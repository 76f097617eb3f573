import { z } from 'zod'
import { endpoint } from '../kernel/contract.ts'
import { VerifyState, WireRole } from '../kernel/entities.ts'
import { Cursor, listAnswer, PageQuery } from '../kernel/envelope.ts'
import { limits } from '../kernel/limits.ts'
import { LocaleName } from '../kernel/locale-schemas.ts'
import { movementAssets, movementPurposes } from '../kernel/rule-names.ts'
import {
  boundedText,
  Count,
  Id,
  nothing,
  QueryId,
  Time,
  Url,
  UserId,
} from '../kernel/primitives.ts'
import { sourceEndpoints } from './movement-sources.ts'
import { office, Reason } from './staff.ts'
import { DeskPerson, queueNames } from './staff-desk.ts'

/** People in the back office: search, the page of a person, notes and dialogs. */

const people = { who: 'moderator', ...office } as const
const ById = z.object({ id: QueryId })
const PagesById = PageQuery.extend({ id: QueryId })

export const OfficeUser = z.object({
  id: UserId,
  nick: z.string().nullable(),
  /** Managers, finance and owners read it whole, moderators its first letter and its domain. */
  email: z.string().nullable(),
  role: WireRole.nullable(),
  country: z.string().nullable(),
  locale: LocaleName.nullable(),
  verified: z.boolean(),
  /** `unregistered`: a guest. */
  state: z.enum(['active', 'sanctioned', 'erased', 'unregistered']),
  create_time: Time,
  last_visit: Time.nullable(),
})
export type OfficeUser = z.output<typeof OfficeUser>

/** A case of a queue, a statement or an order that was found by its number, and the users that it is about. */
export const FoundCase = z.object({
  kind: z.enum([...queueNames, 'statements', 'orders']),
  id: z.string(),
  users: z.array(DeskPerson),
  is_waiting: z.boolean(),
})
export type FoundCase = z.output<typeof FoundCase>

export const PersonNote = z.object({ id: Id, text: z.string(), author: z.string(), at: Time })
export type PersonNote = z.output<typeof PersonNote>

/** Another account with something in common. A hint: it proves nothing by itself. */
const LinkedPerson = z.object({
  user: DeskPerson,
  is_sanctioned: z.boolean(),
  shares: z.array(z.object({ signal: z.string(), at: Time, is_common: z.boolean() })),
})

export const PersonCard = z.object({
  user: OfficeUser,
  avatar: Url.nullable(),
  about: z.string(),
  age: z.int().nullable(),
  locale: z.string(),
  verify_state: VerifyState,
  email_confirmed: z.boolean(),
  premium_until: Time.nullable(),
  gifts_forbidden: z.boolean(),
  invited_by: DeskPerson.nullable(),
  /** Diamonds of a man, coins of a woman. */
  balance: z.string(),
  held: z.string(),
  messages: Count,
  /** A USDT address; only for managers, finance and owners. */
  wallet: z.string().nullable(),
  complaints_about: z.object({ waiting: Count, upheld: Count, rejected: Count }),
  complaints_by: z.object({ waiting: Count, upheld: Count, rejected: Count }),
  linked: z.array(LinkedPerson),
})
export type PersonCard = z.output<typeof PersonCard>

export const PersonCall = z.object({
  session_id: Id,
  partner: DeskPerson,
  kind: z.enum(['random', 'direct']),
  is_private: z.boolean(),
  opened_at: Time,
  /** Null: it is running. */
  closed_at: Time.nullable(),
  reason: z.string().nullable(),
  paid_seconds: z.int().nonnegative(),
})
export type PersonCall = z.output<typeof PersonCall>

const MovementFilter = z.object({
  id: QueryId,
  asset: z.enum(movementAssets).optional(),
  purpose: z.enum(movementPurposes).optional(),
  from: Time.optional(),
  to: Time.optional(),
})

/** One movement of the ledger; `amount` has its sign, and `balance` is that of its asset behind the movement. */
export const PersonMovement = z.object({
  id: Id,
  at: Time,
  asset: z.string(),
  amount: z.string(),
  balance: z.string(),
  purpose: z.string(),
  cause: z.string(),
  cause_id: Id.nullable(),
  note: z.string().nullable(),
})
export type PersonMovement = z.output<typeof PersonMovement>

export const PersonDevices = z.object({
  /** The last used first; those that ended lately too. */
  logins: z.array(
    z.object({
      id: Id,
      /** Browser and system by their names; empty: unknown. */
      device: z.string(),
      country: z.string().nullable(),
      create_time: Time,
      last_used: Time,
      ended_at: Time.nullable(),
    }),
  ),
  /** By what devices, networks and passkeys of the person are recognised, the last seen first. */
  signals: z.array(
    z.object({
      id: Id,
      signal: z.string(),
      first_seen: Time,
      last_seen: Time,
      /** Other accounts with the same value, the latest ones. */
      shared: z.array(z.object({ user: DeskPerson, is_sanctioned: z.boolean() })),
      /** More accounts share it than are read: it says little. */
      is_common: z.boolean(),
    }),
  ),
})
export type PersonDevices = z.output<typeof PersonDevices>

export const PersonDialog = z.object({ partner: DeskPerson, messages: Count, last_at: Time })
export type PersonDialog = z.output<typeof PersonDialog>

const DialogLine = z.object({
  id: Id,
  sender_id: UserId,
  kind: z.string(),
  text: z.string(),
  at: Time,
  /** The recipient did not see it whole. */
  is_masked: z.boolean(),
  /** It is in the view of neither any more. */
  is_removed: z.boolean(),
})

export const actions = {}

export const events = {}

const lists = {
  'GET v2/manager/users/{id}/calls': endpoint('GET', 'v2/manager/users/{id}/calls', {
    summary: 'The calls of a person, the newest first.',
    ...people,
    query: PagesById,
    data: listAnswer(PersonCall),
    refuses: ['not_found'],
  }),
  'GET v2/manager/users/{id}/movements': endpoint('GET', 'v2/manager/users/{id}/movements', {
    summary:
      'The movements of the balances of a person, the newest first. `page` only counts the pages; `after` of an answer leads to its next page. With filters a page may have no items and still a next page.',
    who: 'finance',
    ...office,
    query: PageQuery.extend({ ...MovementFilter.shape, after: Cursor.optional() }),
    data: listAnswer(PersonMovement).extend({ after: Cursor.optional() }),
    refuses: ['not_found'],
  }),
  'GET v2/manager/users/{id}/movements/export': endpoint(
    'GET',
    'v2/manager/users/{id}/movements/export',
    {
      summary:
        'The movements of the balances of a person as a CSV file, the newest first. The export is in the audit log. At most 10,000: with more, choose a shorter time.',
      who: 'finance',
      ...office,
      rate: '20/hour',
      gives: 'raw',
      query: MovementFilter,
      data: nothing,
      refuses: ['not_found'],
    },
  ),
  'GET v2/manager/users/{id}/devices': endpoint('GET', 'v2/manager/users/{id}/devices', {
    summary:
      'The logins of a person, and by what the devices of the person are recognised. The look is recorded before anything is read.',
    ...people,
    query: ById,
    data: PersonDevices,
    refuses: ['not_found'],
  }),
  'GET v2/manager/users/{id}/dialogs': endpoint('GET', 'v2/manager/users/{id}/dialogs', {
    summary: 'The people that a person has a dialog with, the latest first, without a message.',
    ...people,
    query: PagesById,
    data: listAnswer(PersonDialog),
    refuses: ['not_found'],
  }),
}

export const endpoints = {
  'GET v2/manager/users': endpoint('GET', 'v2/manager/users', {
    summary:
      'Finds users by id, mail, code or address of a page, start of the nickname, wallet, or the number, name or payment of an order.',
    who: 'staff',
    ...office,
    rate: '60/min',
    query: z.object({ query: z.string().trim().min(1).max(limits.query_characters) }),
    data: z.object({ users: z.array(OfficeUser) }),
    refuses: [],
  }),
  'GET v2/manager/cases': endpoint('GET', 'v2/manager/cases', {
    summary:
      'Finds what has this number: waiting cases of the queues that the role decides, decided complaints and appeals, statements, and orders.',
    who: 'staff',
    ...office,
    rate: '60/min',
    query: z.object({ query: z.string().trim().min(1).max(limits.query_characters) }),
    data: z.object({ cases: z.array(FoundCase) }),
    refuses: [],
  }),
  'GET v2/manager/users/{id}': endpoint('GET', 'v2/manager/users/{id}', {
    summary: 'The page of a person. The look is recorded before anything is read.',
    who: 'staff',
    ...office,
    query: ById,
    data: PersonCard,
    refuses: ['not_found'],
  }),
  ...lists,
  ...sourceEndpoints,
  'POST v2/manager/users/{id}/dialogs/{partner}': endpoint(
    'POST',
    'v2/manager/users/{id}/dialogs/{partner}',
    {
      summary:
        'The messages of a dialog, the newest last. It needs a reason; the look is recorded before anything is read.',
      ...people,
      query: ById.extend({ partner: QueryId }),
      body: z.object({ reason: Reason, before: Id.optional() }),
      data: z.object({ lines: z.array(DialogLine), more: z.boolean() }),
      refuses: ['not_found', 'role_forbidden'],
    },
  ),
  'POST v2/manager/users/{id}/logins/{login_id}/end': endpoint(
    'POST',
    'v2/manager/users/{id}/logins/{login_id}/end',
    {
      summary: 'Ends a login of a person at once, on every socket. The person logs in again.',
      who: 'manager',
      ...office,
      query: ById.extend({ login_id: QueryId }),
      body: z.object({ reason: Reason }),
      data: nothing,
      refuses: ['not_found', 'role_forbidden'],
    },
  ),
  'GET v2/manager/users/{id}/notes': endpoint('GET', 'v2/manager/users/{id}/notes', {
    summary: 'The notes that staff keep about a person, the newest first.',
    who: 'staff',
    ...office,
    query: PagesById,
    data: listAnswer(PersonNote),
    refuses: ['not_found'],
  }),
  'POST v2/manager/users/{id}/notes': endpoint('POST', 'v2/manager/users/{id}/notes', {
    summary: 'Adds a note about a person. A note is not changed and not deleted.',
    who: 'staff',
    ...office,
    idempotent: true,
    query: ById,
    body: z.object({ text: boundedText(limits.comment_characters, 1) }),
    data: PersonNote,
    refuses: ['not_found', 'role_forbidden', 'key_reused'],
  }),
}
