import { z } from 'zod'
import { endpoint } from '../kernel/contract.ts'
import { Id, nothing, QueryId, Time, UserId } from '../kernel/primitives.ts'
import { office } from './staff.ts'

/**
 * Acts that one person may not do alone: those of the operator's shell, and the export of sealed evidence. With `documents`
 * those of an identity check are written into a folder.
 */
export const ApprovalAct = z.enum(['grant', 'gift_cards', 'documents', 'sealed_export'])
export type ApprovalAct = z.output<typeof ApprovalAct>

export const ApprovalFact = z.enum([
  'amount',
  'asset',
  'key',
  'count',
  'minutes',
  'price',
  'until',
  'check_id',
  'complaint_id',
])
export type ApprovalFact = z.output<typeof ApprovalFact>

/** `over`: a day has passed without the second person, or without the act. */
export const ApprovalState = z.enum(['waiting', 'allowed', 'used', 'over'])
export type ApprovalState = z.output<typeof ApprovalState>

export const actions = {}
export const events = {}

export const endpoints = {
  'GET v2/manager/approvals': endpoint('GET', 'v2/manager/approvals', {
    summary: 'Acts that wait for a second person.',
    who: 'manager',
    ...office,
    data: z.object({
      approvals: z.array(
        z.object({
          id: Id,
          act: ApprovalAct,
          user_id: UserId.nullable(),
          /** Everything that the act depends on. */
          facts: z.array(z.object({ name: ApprovalFact, value: z.string() })),
          reason: z.string(),
          asked_by: z.string(),
          at: Time,
        }),
      ),
    }),
    refuses: [],
  }),
  'POST v2/manager/approvals/{id}/allow': endpoint('POST', 'v2/manager/approvals/{id}/allow', {
    summary: 'Allows one act of another person, who then does it once within a day.',
    who: 'manager',
    ...office,
    query: z.object({ id: QueryId }),
    data: nothing,
    refuses: ['not_found', 'role_forbidden', 'decided', 'second_factor'],
  }),
}
