import { z } from 'zod'
import { endpoint } from '../kernel/contract.ts'
import { listAnswer } from '../kernel/envelope.ts'
import { limits } from '../kernel/limits.ts'
import { boundedText, Day, Id, nothing, QueryId, Time } from '../kernel/primitives.ts'
import { checkPoints } from '../kernel/identity-checks.ts'
import { declineReasons } from '../kernel/rule-names.ts'
import { Claim, DeskPerson, DeskQueue } from './staff-desk.ts'

/** The desk of identity checks. */

const desk = { who: 'manager', credential: 'staff' } as const
const ById = z.object({ id: QueryId })

export const DeskCheck = z.object({
  id: Id,
  user: DeskPerson,
  provider: z.string(),
  state: z.string(),
  document_type: z.string().nullable(),
  country: z.string().nullable(),
  create_time: Time,
  decided_by: z.string().nullable(),
  claim: Claim.nullable(),
})
export type DeskCheck = z.output<typeof DeskCheck>

export const endpoints = {
  'GET v2/manager/verifications': endpoint('GET', 'v2/manager/verifications', {
    summary: 'Identity checks that wait, the longest wait first; or the latest decided ones.',
    ...desk,
    query: DeskQueue,
    data: listAnswer(DeskCheck),
    refuses: [],
  }),
  'GET v2/manager/verifications/{id}': endpoint('GET', 'v2/manager/verifications/{id}', {
    summary:
      'A check with everything that its documents are compared with. Needs a fresh proof; the look is recorded.',
    ...desk,
    query: ById,
    data: z.object({
      check: DeskCheck,
      birthday: Day.nullable(),
      gesture: z.string().nullable(),
      sides: z.array(z.string()),
    }),
    refuses: ['not_found', 'second_factor'],
  }),
  'GET v2/manager/verifications/{id}/documents/{side}': endpoint(
    'GET',
    'v2/manager/verifications/{id}/documents/{side}',
    {
      summary:
        'A side of the documents, with the name of its viewer on it. Needs a fresh proof; the look is recorded.',
      ...desk,
      query: ById.extend({ side: z.string().max(limits.name_characters) }),
      data: z.object({}),
      gives: 'raw',
      refuses: ['not_found', 'second_factor'],
    },
  ),
  'POST v2/manager/verifications/{id}/decide': endpoint(
    'POST',
    'v2/manager/verifications/{id}/decide',
    {
      summary:
        'Verifies a user until the last day of the document once every point is checked, declines with the reason, or asks for better documents.',
      ...desk,
      query: ById,
      body: z.object({
        verified: z.boolean(),
        /** The last day of the document. */
        expires: Day.optional(),
        /** The points that were found right. A verification needs all that apply. */
        checked: z.array(z.enum(checkPoints)).max(checkPoints.length).optional(),
        reason: z.enum(declineReasons).optional(),
        /** The user is asked to send better documents. Only for a reason that the user can mend. */
        again: z.boolean().optional(),
        /** The user reads it beside the reason. */
        comment: boundedText(limits.comment_characters, 1).optional(),
      }),
      data: nothing,
      refuses: [
        'not_found',
        'role_forbidden',
        'claimed',
        'decided',
        'bulk_stopped',
        'birthday_invalid',
        'second_factor',
      ],
    },
  ),
}
