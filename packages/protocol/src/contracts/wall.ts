import { z } from 'zod'
import { endpoint } from '../kernel/contract.ts'
import { limits } from '../kernel/limits.ts'
import { boundedText, Count, Id, QueryId, Time, UserId } from '../kernel/primitives.ts'
import { ruleNames, wallFilters, wallOrders, wallReasons } from '../kernel/rule-names.ts'
import { office } from './staff.ts'
import { DeskPerson } from './staff-desk.ts'

/** The live wall: running calls in the order of their risk. Private calls have no pictures. */

const wall = { who: 'moderator', ...office } as const
const ById = z.object({ id: QueryId })

/** The network of one side: what PEER_STATE says, and the last report of its monitoring. */
export const WallNetwork = z.object({
  weak: z.boolean(),
  /** From 1 to 5, of the worse direction; null: there is no recent report. */
  score: z.number().nullable(),
  rtt_ms: z.number().nullable(),
  loss_percent: z.number().nullable(),
  out_kbps: z.number().nullable(),
})
export type WallNetwork = z.output<typeof WallNetwork>

export const WallCall = z.object({
  session_id: Id,
  guy: DeskPerson,
  girl: DeskPerson,
  is_private: z.boolean(),
  opened_at: Time,
  connected_at: Time.nullable(),
  /** When her camera was last sampled; null: there is no picture, as in private calls. */
  frame_at: Time.nullable(),
  /** The points of the reasons. A complaint counts by the reliability of its reporters, a frame by its score. */
  risk: Count,
  /** The reasons for the place of the call on the wall. */
  reasons: z.array(z.enum(wallReasons)),
  network: z.object({ guy: WallNetwork, girl: WallNetwork }),
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
  /** The picture that she sent, in kbit/s, the oldest first. */
  bitrates: z.array(z.number().nonnegative()),
  /** The events of the call, the latest first. `detail`: why the meter paused, or the person of an act. */
  events: z.array(
    z.object({
      at: Time,
      name: z.enum([
        'connected',
        'private',
        'paused',
        'no_face',
        'complaint',
        'warning',
        'penalty',
        'ban',
      ]),
      detail: z.string().nullable(),
    }),
  ),
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
    query: z.object({
      show: z.enum(wallFilters).default('all'),
      order: z.enum(wallOrders).default('risk'),
      /** The id of a user or a session, or the start of a nickname. */
      find: boundedText(limits.title_characters).optional(),
      /** The call that is open beside the wall: it is answered also where it is not among the shown ones. */
      open: QueryId.optional(),
    }),
    data: z.object({
      figures: z.object({
        men: Count,
        women: Count,
        searching: Count,
        public_calls: Count,
        private_calls: Count,
      }),
      /** The running calls of each filter. */
      counts: z.object({
        all: Count,
        flagged: Count,
        new_accounts: Count,
        private: Count,
        weak: Count,
      }),
      calls: z.array(WallCall),
      /** The calls that the request found; the first of them are shown. */
      found: Count,
      /** Null: the call does not run. */
      opened: WallCall.nullable(),
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
    summary:
      'Warns one of the two in the call. The person reads the comment, and may appeal. A warning whose call has ended meanwhile is shown as a warning of staff.',
    ...wall,
    idempotent: true,
    query: ById,
    body: Act,
    data: z.object({ statement_id: Id }),
    refuses: ['not_found', 'role_forbidden', 'key_reused', 'bulk_stopped', 'decided'],
  }),
  'POST v2/manager/wall/{id}/end': endpoint('POST', 'v2/manager/wall/{id}/end', {
    summary: 'Ends a running call. The person who is its reason reads the comment, and may appeal.',
    ...wall,
    idempotent: true,
    query: ById,
    body: Act,
    data: z.object({ statement_id: Id }),
    refuses: ['not_found', 'role_forbidden', 'key_reused', 'bulk_stopped'],
  }),
}
