/**
 * Approvals: one person alone does not grant money, make gift cards or write out documents of identity at the shell, and
 * does not export sealed evidence.
 *
 * Tables         approvals
 * Does not know  the acts: their modules call `needSecondPerson`, or `askApproval` and `useApproval`, in the transaction of each
 * Invariants     an act that needs two people is done once, as a proven second person has read it (AP1)
 */
import { sql } from 'kysely'
import { type EndpointsOf, module } from '../../core/module.ts'
import { personalTable } from '../../platform/personal-data/personal-data.ts'
import { deleteRows } from '../../platform/retention/retention-rule.ts'
import { setting } from '../settings/index.ts'
import { allowApproval, countWaiting, listApprovals } from './approvals.ts'

export const approvals = module('approvals', {
  endpoints: {
    'GET v2/manager/approvals': listApprovals,
    'POST v2/manager/approvals/{id}/allow': allowApproval,
  } satisfies EndpointsOf<'approvals'>,
  waitingCases: countWaiting,
  personalData: {
    tables: [
      personalTable('approvals', {
        users: ['user_id', 'other_user_id'],
        erasure: 'kept',
        why: 'a record about staff: who has asked for an act, who has allowed it',
        exported: { not: 'a record about staff' },
      }),
    ],
  },
  retention: [
    deleteRows(
      'approvals',
      'asked_at',
      (context) => setting(context, 'kyc_record_days'),
      // The exports of sealed evidence stay as long as the evidence.
      sql<boolean>`act = 'sealed_export'`,
    ),
  ],
})

export { type ApprovalRow, requestsFor } from './approval-store.ts'
export { type ActingPerson, approvalState, askApproval, useApproval } from './approvals.ts'
export { needSecondPerson } from './need-second-person.ts'
