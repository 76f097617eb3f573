import { z } from 'zod'
import { auditActs } from '../kernel/audit-acts.ts'
import { endpoint } from '../kernel/contract.ts'
import { decisionEndpoints } from './audit-decisions.ts'
import { PageQuery } from '../kernel/envelope.ts'
import { office, Reason } from './staff.ts'
import { limits } from '../kernel/limits.ts'
import { Id, notes, nothing, QueryId, Time, UserId } from '../kernel/primitives.ts'

/** The audit log and the settings of the back office. */

const ChainHash = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .register(notes, { examples: ['0f'.repeat(32)] })

/** `hash` chains each row to the row before it. */
export const AuditEntry = z.object({
  id: Id,
  at: Time,
  /** A member of staff with the address, or the name of a person at the operator's shell. */
  staff_id: Id.nullable(),
  email: z.string().nullable(),
  operator: z.string().nullable(),
  act: z.string(),
  user_id: UserId.nullable(),
  reason: z.string(),
  facts: z.record(z.string(), z.unknown()),
  /** Where the member of staff was; null at the shell, and in entries before it was kept. */
  address: z.string().nullable(),
  /** The words that the user reads because of the act. */
  words: z.string().nullable(),
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
  hash: z.string(),
})
export type AuditEntry = z.output<typeof AuditEntry>

export const actions = {}

export const events = {}

const AuditFilter = z.object({
  user_id: QueryId.optional(),
  staff_id: QueryId.optional(),
  operator: z.string().max(limits.name_characters).optional(),
  act: z.enum(auditActs).optional(),
  from: Time.optional(),
  to: Time.optional(),
})

const accessEndpoints = {
  'GET v2/manager/audit': endpoint('GET', 'v2/manager/audit', {
    summary: 'Every act of staff with its time and reason, newest first.',
    who: 'manager',
    ...office,
    query: PageQuery.omit({ page: true }).extend({
      before: QueryId.optional(),
      ...AuditFilter.shape,
    }),
    data: z.object({ items: z.array(AuditEntry), next: z.boolean() }),
    refuses: [],
  }),
  'GET v2/manager/audit/verify': endpoint('GET', 'v2/manager/audit/verify', {
    summary:
      'Verifies every entry of the audit log; `head` is the hash of an earlier check, which must still be in it.',
    who: 'manager',
    ...office,
    rate: '6/min',
    query: z.object({ head: ChainHash.optional() }),
    data: z.object({
      ok: z.boolean(),
      entries: z.int().nonnegative(),
      head: ChainHash,
      faults: z.array(
        z.object({ entry_id: Id, fault: z.enum(['missing', 'changed', 'wrong_predecessor']) }),
      ),
      has_noted_head: z.boolean().optional(),
      /** The end that is kept outside the database, every minute. */
      kept_head: z.enum(['none', 'found', 'stale', 'missing', 'forged']),
    }),
    refuses: [],
  }),
  'GET v2/manager/audit/export': endpoint('GET', 'v2/manager/audit/export', {
    summary:
      'The audit log, whole or as far as the filters match, the oldest first: one entry in each line of JSON, as it was hashed.',
    who: 'manager',
    ...office,
    query: AuditFilter,
    rate: '10/hour',
    gives: 'raw',
    data: nothing,
    refuses: [],
  }),
}

const installationEndpoints = {
  'GET v2/manager/settings': endpoint('GET', 'v2/manager/settings', {
    summary:
      'The settings table: value, default, unit, and the last change with its author and reason.',
    who: 'owner',
    ...office,
    data: z.object({
      settings: z.array(
        z.object({
          key: z.string(),
          value: z.string(),
          default: z.string(),
          unit: z.string(),
          changed_at: Time.nullable(),
          staff_id: Id.nullable(),
          reason: z.string().nullable(),
        }),
      ),
    }),
    refuses: [],
  }),
  'POST v2/manager/settings': endpoint('POST', 'v2/manager/settings', {
    summary: 'Changes a setting, without a restart.',
    who: 'owner',
    ...office,
    body: z.object({
      key: z.string().max(limits.name_characters),
      value: z.string().max(limits.judged_characters),
      reason: Reason,
    }),
    data: nothing,
    refuses: ['not_found'],
  }),
}

export const endpoints = {
  ...accessEndpoints,
  ...decisionEndpoints,
  ...installationEndpoints,
}
