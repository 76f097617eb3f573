import { z } from 'zod'
import { endpoint } from '../kernel/contract.ts'
import { limits } from '../kernel/limits.ts'
import { boundedText, Count, Id, QueryId, Time, UserId } from '../kernel/primitives.ts'
import { ruleNames, wallReasons } from '../kernel/rule-names.ts'
import { office } from './staff.ts'
import { DeskPerson } from './staff-desk.ts'

/** The live wall: running calls in the order of their risk. Private calls have no pictures. */

const wall = { who: 'moderator', ...office } as const
const ById = z.object({ id: QueryId })

export const WallCall = z.object({
  session_id: Id,
  guy: DeskPerson,
  girl: DeskPerson,
  is_private: z.boolean(),
  opened_at: Time,
  connected_at: Time.nullable(),
  /** When her camera was last sampled; null: there is no picture, as in private calls. */
  frame_at: Time.nullable(),
  /** The reasons for the place of the call on the wall. */
  reasons: z.array(z.enum(wallReasons)),
})
export type WallCall = z.output<typeof WallCall>

export const WatchedCall = z.object({
  call: WallCall,
  frames: z.array(
    z.object({ id: z.uuid(), at: Time, nudity: z.number().nullable(), is_flagged: z.boolean() }),
  ),
  gifts: Count,
  paid_seconds: z.int().nonnegative(),
  guy_complaints: Count,
  girl_complaints: Count,
})
export type WatchedCall = z.output<typeof WatchedCall>

/** The person that an act is about, and what this person reads. */
const Act = z.object({
  user_id: UserId,
  rule: z.enum(ruleNames),
  comment: boundedText(limits.comment_characters, 1),
})

export const wallEndpoints = {
  'GET v2/manager/wall': endpoint('GET', 'v2/manager/wall', {
    summary:
      'The running calls with the highest risk, and counts of the people who are online. Looking at the wall is recorded every ten minutes.',
    ...wall,
    data: z.object({
      figures: z.object({
        men: Count,
        women: Count,
        searching: Count,
        public_calls: Count,
        private_calls: Count,
      }),
      calls: z.array(WallCall),
    }),
    refuses: [],
  }),
  'GET v2/manager/wall/{id}/tile': endpoint('GET', 'v2/manager/wall/{id}/tile', {
    summary: 'The latest sampled frame of a running public call, small and blurred.',
    ...wall,
    rate: '1200/min',
    query: ById,
    data: z.object({}),
    gives: 'raw',
    refuses: ['not_found'],
  }),
  'POST v2/manager/wall/{id}/open': endpoint('POST', 'v2/manager/wall/{id}/open', {
    summary: 'Opens a running call. The look is recorded before anything is read.',
    ...wall,
    query: ById,
    data: WatchedCall,
    refuses: ['not_found', 'role_forbidden'],
  }),
  'GET v2/manager/wall/{id}/frames/{frame}': endpoint(
    'GET',
    'v2/manager/wall/{id}/frames/{frame}',
    {
      summary:
        'A sampled frame of a running public call, with the name of its viewer on it; the look is recorded.',
      ...wall,
      query: ById.extend({ frame: z.uuid() }),
      data: z.object({}),
      gives: 'raw',
      refuses: ['not_found'],
    },
  ),
  'POST v2/manager/wall/{id}/warn': endpoint('POST', 'v2/manager/wall/{id}/warn', {
    summary: 'Warns one of the two in the call. The person reads the comment, and may appeal.',
    ...wall,
    idempotent: true,
    query: ById,
    body: Act,
    data: z.object({ statement_id: Id }),
    refuses: ['not_found', 'role_forbidden', 'key_reused', 'second_person'],
  }),
  'POST v2/manager/wall/{id}/end': endpoint('POST', 'v2/manager/wall/{id}/end', {
    summary: 'Ends a running call. The person who is its reason reads the comment, and may appeal.',
    ...wall,
    idempotent: true,
    query: ById,
    body: Act,
    data: z.object({ statement_id: Id }),
    refuses: ['not_found', 'role_forbidden', 'key_reused', 'second_person'],
  }),
}
