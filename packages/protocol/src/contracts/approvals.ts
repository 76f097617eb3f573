import { z } from 'zod'
import { endpoint } from '../kernel/contract.ts'
import { Id, nothing, QueryId, Time, UserId } from '../kernel/primitives.ts'
import { office } from './staff.ts'

/** Acts of the operator's shell that one person may not do alone. With `documents` those of an identity check are written into a folder. */
export const ApprovalAct = z.enum(['grant', 'gift_cards', 'documents'])
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
])
export type ApprovalFact = z.output<typeof ApprovalFact>

export const actions = {}
export const events = {}

export const endpoints = {
  'GET v2/manager/approvals': endpoint('GET', 'v2/manager/approvals', {
    summary: "Acts of the operator's shell that wait for a second person.",
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
    summary: "Allows one act of the operator's shell, which is then done there once.",
    who: 'manager',
    ...office,
    query: z.object({ id: QueryId }),
    data: nothing,
    refuses: ['not_found', 'role_forbidden', 'decided', 'second_factor'],
  }),
}
