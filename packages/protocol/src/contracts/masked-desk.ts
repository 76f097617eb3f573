import { z } from 'zod'
import { endpoint } from '../kernel/contract.ts'
import { listAnswer, PageQuery } from '../kernel/envelope.ts'
import { Count, Id, QueryId, Time, UserId } from '../kernel/primitives.ts'
import { office } from './staff.ts'
import { Claim, DeskPerson, DeskStatement } from './staff-desk.ts'
import { userDecision } from './user-decision.ts'

/** The queue of users in whose texts contacts were masked. A case is a user; a decision covers the texts of one look. */

const desk = { who: 'moderator', ...office } as const
const ById = z.object({ id: QueryId })

export const MaskedWriter = z.object({
  user: DeskPerson,
  messages: Count,
  call_texts: Count,
  /** The oldest text that waits. */
  first_at: Time,
  last_at: Time,
  claim: Claim.nullable(),
})
export type MaskedWriter = z.output<typeof MaskedWriter>

export const MaskedCase = z.object({
  user: DeskPerson,
  /** The look that a decision names. */
  view_id: Id,
  /** The texts that wait, the oldest first, each with what was written just before and after it. */
  texts: z.array(
    z.object({
      kind: z.enum(['message', 'call']),
      partner: DeskPerson,
      original: z.string(),
      masked: z.string(),
      at: Time,
      before: z.array(z.object({ sender_id: UserId, text: z.string() })),
      after: z.array(z.object({ sender_id: UserId, text: z.string() })),
    }),
  ),
  /** More texts wait than this look shows. */
  is_more: z.boolean(),
  /** Masked texts of the user that are still kept and were decided before. */
  earlier: Count,
  /** The statements of the user, the newest first. */
  statements: z.array(DeskStatement),
})
export type MaskedCase = z.output<typeof MaskedCase>

export const endpoints = {
  'GET v2/manager/masked': endpoint('GET', 'v2/manager/masked', {
    summary:
      'Users whose texts of the last 7 days had contacts masked and wait for a look, the most texts first.',
    ...desk,
    query: PageQuery,
    data: listAnswer(MaskedWriter),
    refuses: [],
  }),
  'GET v2/manager/masked/{id}': endpoint('GET', 'v2/manager/masked/{id}', {
    summary:
      'The masked texts of a user as they were written. The look is recorded before anything is read.',
    ...desk,
    query: ById,
    data: MaskedCase,
    refuses: ['not_found'],
  }),
  'POST v2/manager/masked/{id}/decide': endpoint('POST', 'v2/manager/masked/{id}/decide', {
    summary:
      'Decides once about the texts of a look; the texts stay masked. The user reads the comment of a warning, penalty or ban.',
    ...desk,
    query: ById,
    body: z.object({
      view_id: Id,
      ...userDecision,
    }),
    data: z.object({ statement_id: Id.nullable() }),
    refuses: ['not_found', 'role_forbidden', 'claimed', 'decided', 'bulk_stopped'],
  }),
}
