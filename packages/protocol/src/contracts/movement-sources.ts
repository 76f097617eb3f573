import { z } from 'zod'
import { endpoint } from '../kernel/contract.ts'
import { Id, QueryId, Time } from '../kernel/primitives.ts'
import { office } from './staff.ts'
import { DeskPerson } from './staff-desk.ts'

/** Where the movements of a ledger come from. */

const CallMoment = z.object({
  type: z.enum(['opened', 'connected', 'private', 'gift', 'ended']),
  at: Time,
  /** Of a gift: its name, and the person who gave it. */
  gift: z.string().optional(),
  user: DeskPerson.optional(),
  /** Of the end. */
  reason: z.string().optional(),
})

/** Where a movement of the ledger comes from. Nothing that users wrote is in it. */
export const MovementOrigin = z.discriminatedUnion('cause', [
  z.object({
    cause: z.literal('call'),
    session_id: Id,
    guy: DeskPerson,
    girl: DeskPerson,
    is_private: z.boolean(),
    paid_seconds: z.int().nonnegative(),
    timeline: z.array(CallMoment),
  }),
  z.object({
    cause: z.literal('gift'),
    gift: z.string(),
    guy: DeskPerson,
    girl: DeskPerson,
    /** Null for staff who read no ledgers. */
    price: z.string().nullable(),
    reward: z.string().nullable(),
    session_id: Id.nullable(),
    at: Time,
  }),
  z.object({ cause: z.literal('message'), message_id: Id, partner: DeskPerson, at: Time }),
])
export type MovementOrigin = z.output<typeof MovementOrigin>

export const sourceEndpoints = {
  'GET v2/manager/users/{id}/sources/{cause}/{cause_id}': endpoint(
    'GET',
    'v2/manager/users/{id}/sources/{cause}/{cause_id}',
    {
      summary:
        'The call, gift or message that a movement of a person comes from, without what was written. Finance reads no messages. The look is recorded first.',
      who: 'staff',
      ...office,
      query: z.object({
        id: QueryId,
        cause: z.enum(['call', 'gift', 'message']),
        cause_id: QueryId,
      }),
      data: MovementOrigin,
      refuses: ['not_found', 'role_forbidden'],
    },
  ),
}
