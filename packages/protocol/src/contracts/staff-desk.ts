import { z } from 'zod'
import { endpoint } from '../kernel/contract.ts'
import { WireRole } from '../kernel/entities.ts'
import { PageQuery } from '../kernel/envelope.ts'
import { LocaleName } from '../kernel/locale-schemas.ts'
import { Amount, Count, Id, nothing, Time, UserId } from '../kernel/primitives.ts'
import { penaltyPlaces } from '../kernel/rule-names.ts'

/** The queues of the back office, and the claims by which no case is decided twice. */

const desk = { who: ['moderator', 'finance'], credential: 'staff' } as const

export const queueNames = [
  'complaints',
  'photos',
  'masked',
  'verifications',
  'appeals',
  'findings',
  'reports',
  'payments',
  'callbacks',
] as const
export const QueueName = z.enum(queueNames)
export type QueueName = z.output<typeof QueueName>

/** The pages of the office with a number in the navigation: the queues, and the acts that wait for a second person. */
export const CountedPage = z.enum([...queueNames, 'approvals'])
export type CountedPage = z.output<typeof CountedPage>

/** The number or uuid of a case within its queue. */
export const CaseId = z.string().regex(/^[\w-]{1,40}$/)
/** The member of staff who has a case, until the claim ends. */
export const Claim = z.object({ staff_id: Id, email: z.string(), until: Time })
export type Claim = z.output<typeof Claim>
const Case = z.object({ queue: QueueName, id: CaseId })

/** A user as staff see one in a list. */
export const DeskPerson = z.object({
  id: UserId,
  nick: z.string().nullable(),
  role: WireRole.nullable(),
  /** The language in which the user reads. */
  locale: LocaleName.nullable(),
})
export type DeskPerson = z.output<typeof DeskPerson>

/** A statement as the cases about its user show it. Amount and place are of a penalty. */
export const DeskStatement = z.object({
  id: Id,
  kind: z.string(),
  reason: z.string(),
  comment: z.string(),
  at: Time,
  amount: Amount.nullable(),
  place: z.enum(penaltyPlaces).nullable(),
})
export type DeskStatement = z.output<typeof DeskStatement>

export const DeskQueue = PageQuery.extend({
  state: z.enum(['waiting', 'decided']).default('waiting'),
})

export const endpoints = {
  'GET v2/manager/queues': endpoint('GET', 'v2/manager/queues', {
    summary:
      'How many cases wait in each queue of the own role, and how much the member of staff has decided in this shift.',
    ...desk,
    data: z.object({
      load: z.object({
        /** Decisions about children, violence and nudity in an hour, and in twelve. */
        severe_hour: Count,
        severe_shift: Count,
        /** The queue gives a moderator other cases for now. */
        is_limited: z.boolean(),
        deciding_minutes: Count,
        is_break_due: z.boolean(),
      }),
      queues: z.array(
        z.object({
          queue: CountedPage,
          waiting: Count,
          oldest: Time.nullable(),
          /** The median time in which staff answered in the last seven days; null where none is known. */
          median_seconds: Count.nullable(),
        }),
      ),
    }),
    refuses: [],
  }),
  'POST v2/manager/claim': endpoint('POST', 'v2/manager/claim', {
    summary:
      'Takes a waiting case for some minutes, or keeps it: others see who has it, and cannot decide it. One person has at most five.',
    ...desk,
    body: Case.extend({
      /** Managers and owners: also where another member of staff has the case. */
      take_over: z.boolean().default(false),
    }),
    data: z.object({ claim: Claim }),
    refuses: ['not_found', 'claimed', 'role_forbidden'],
  }),
  'POST v2/manager/release': endpoint('POST', 'v2/manager/release', {
    summary: 'Gives a case back to its queue.',
    ...desk,
    body: Case,
    data: nothing,
    refuses: [],
  }),
}
