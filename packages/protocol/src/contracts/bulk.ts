import { z } from 'zod'
import { endpoint } from '../kernel/contract.ts'
import { Count, Id, nothing, QueryId, Time } from '../kernel/primitives.ts'
import { office, Reason } from './staff.ts'

/** Acts that stop themselves: after some of a kind in a time, a second person of staff allows more. */

export const BulkKind = z.enum([
  'ban',
  'penalty',
  'removal',
  'money',
  'warning',
  'lift',
  /** A case that was closed without an act. */
  'dismissal',
  /** A picture or video that was made visible. */
  'approval',
  'verification',
  /** A complaint that was left to managers. */
  'pass',
])
export type BulkKind = z.output<typeof BulkKind>

export const actions = {}
export const events = {}

export const endpoints = {
  'GET v2/manager/bulk-stops': endpoint('GET', 'v2/manager/bulk-stops', {
    summary: 'People of staff who were stopped because they did many acts at once.',
    who: 'manager',
    ...office,
    data: z.object({
      stops: z.array(
        z.object({
          id: Id,
          staff_id: Id.nullable(),
          person: z.string(),
          kind: BulkKind,
          acts: Count,
          at: Time,
        }),
      ),
    }),
    refuses: [],
  }),
  'POST v2/manager/bulk-stops/{id}/allow': endpoint('POST', 'v2/manager/bulk-stops/{id}/allow', {
    summary: 'Allows a stopped person the same number again; another person must do it.',
    who: 'manager',
    ...office,
    query: z.object({ id: QueryId }),
    body: z.object({ reason: Reason }),
    data: nothing,
    refuses: ['not_found', 'role_forbidden', 'second_factor', 'decided'],
  }),
}
