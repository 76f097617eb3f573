import { z } from 'zod'
import { endpoint } from '../kernel/contract.ts'
import { listAnswer, PageQuery } from '../kernel/envelope.ts'
import { Count, Id, QueryId, Time } from '../kernel/primitives.ts'
import { office } from './staff.ts'
import { Claim, DeskPerson, DeskStatement } from './staff-desk.ts'
import { userDecision } from './user-decision.ts'

/** The queue of findings: what automatic checks report about users. A case is a user; staff decide, no check does. */

const desk = { who: 'moderator', ...office } as const
const ById = z.object({ id: QueryId })

export const findingKinds = [
  'nudity',
  'absence',
  'contradiction',
  'never_reported',
  'chargeback',
  'referral',
  'linked',
  'banned_device',
  'banned_passkey',
  'banned_instrument',
  'banned_wallet',
  'banned_picture',
  'banned_face',
] as const
const FindingKind = z.enum(findingKinds)
export type FindingKind = z.output<typeof FindingKind>

export const FoundUser = z.object({
  user: DeskPerson,
  /** The kinds that wait, those of a banned user who came back first. */
  kinds: z.array(FindingKind),
  findings: Count,
  first_at: Time,
  claim: Claim.nullable(),
})
export type FoundUser = z.output<typeof FoundUser>

export const FindingsCase = z.object({
  user: DeskPerson,
  /** The findings that wait, the newest first. A decision is about those up to the newest one. */
  findings: z.array(
    z.object({
      id: Id,
      kind: FindingKind,
      /** The banned or linked account, or the invited user. */
      other: DeskPerson.nullable(),
      /** The signals that the two accounts have in common; `at`: when the other account used it last. */
      shared: z.array(z.object({ signal: z.string(), at: Time.nullable() })),
      session_id: Id.nullable(),
      /** Of a payment that was charged back. */
      order_id: Id.nullable(),
      at: Time,
      /**
       * Of a face: the portrait of the user that had it, and the pictures of the banned account that have a face. Null: the
       * portrait was deleted since; the user may have another one now.
       */
      pictures: z.array(z.object({ user_id: Id, media_id: z.uuid().nullable() })),
      /** Of nudity or an absence: her latest sampled frames of the call, the oldest first. Her device measured the absence. */
      frames: z.array(z.object({ id: z.uuid(), at: Time, is_flagged: z.boolean() })),
    }),
  ),
  /** Findings of the user that were decided before. */
  earlier: Count,
  statements: z.array(DeskStatement),
})
export type FindingsCase = z.output<typeof FindingsCase>

export const endpoints = {
  'GET v2/manager/findings': endpoint('GET', 'v2/manager/findings', {
    summary: 'Users with findings of automatic checks, returned banned users first.',
    ...desk,
    query: PageQuery,
    data: listAnswer(FoundUser),
    refuses: [],
  }),
  'GET v2/manager/findings/{id}': endpoint('GET', 'v2/manager/findings/{id}', {
    summary: 'What automatic checks found about a user. The look is recorded.',
    ...desk,
    query: ById,
    data: FindingsCase,
    refuses: ['not_found'],
  }),
  'GET v2/manager/findings/{id}/frames/{frame}': endpoint(
    'GET',
    'v2/manager/findings/{id}/frames/{frame}',
    {
      summary:
        'A sampled frame of the call in which nudity or an absence waits, with the name of its viewer on it; the look is recorded.',
      ...desk,
      query: ById.extend({ frame: z.uuid() }),
      data: z.object({}),
      gives: 'raw',
      refuses: ['not_found'],
    },
  ),
  'POST v2/manager/findings/{id}/decide': endpoint('POST', 'v2/manager/findings/{id}/decide', {
    summary:
      'Decides once about the findings of a user up to one of them. The user reads the comment of a warning, penalty or ban.',
    ...desk,
    query: ById,
    body: z.object({ until_finding: Id, ...userDecision }),
    data: z.object({ statement_id: Id.nullable() }),
    refuses: ['role_forbidden', 'claimed', 'decided', 'bulk_stopped'],
  }),
}
