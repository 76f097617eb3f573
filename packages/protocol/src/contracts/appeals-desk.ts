import { z } from 'zod'
import { endpoint } from '../kernel/contract.ts'
import { Id, QueryId, Time } from '../kernel/primitives.ts'
import { office } from './staff.ts'
import { DeskStatement } from './staff-desk.ts'

/** The evidence of an appeal: what the decision was about. */

const desk = { who: 'manager', ...office } as const
const ById = z.object({ id: QueryId })

export const AppealCase = z.object({
  /** The complaint that the act decided, or that suspended the user; `GET v2/manager/complaints/{id}` has its evidence. */
  complaint_id: Id.nullable(),
  /** The call in which the act was imposed, or that the complaint or finding is about. */
  session_id: Id.nullable(),
  /** Of a payment that was charged back. */
  order_id: Id.nullable(),
  /** The latest sampled frames of the user in this call, the oldest first. `is_flagged`: an automatic check acted on it. */
  frames: z.array(z.object({ id: z.uuid(), at: Time, is_flagged: z.boolean() })),
  /** The removed picture or the screenshot of the penalty can be read. */
  has_picture: z.boolean(),
  /** Of a removed nickname or description. */
  removed_text: z.string().nullable(),
  /** The statements of the user, the newest first. */
  statements: z.array(DeskStatement),
})
export type AppealCase = z.output<typeof AppealCase>

export const endpoints = {
  'GET v2/manager/appeals/{id}': endpoint('GET', 'v2/manager/appeals/{id}', {
    summary:
      'What the act was decided by against which a user appeals. The look is recorded before anything is read.',
    ...desk,
    query: ById,
    data: AppealCase,
    refuses: ['not_found'],
  }),
  'GET v2/manager/appeals/{id}/picture': endpoint('GET', 'v2/manager/appeals/{id}/picture', {
    summary:
      'The removed picture or the screenshot of the penalty, with the name of its viewer on it; the look is recorded.',
    ...desk,
    query: ById,
    data: z.object({}),
    gives: 'raw',
    refuses: ['not_found'],
  }),
  'GET v2/manager/appeals/{id}/frames/{frame}': endpoint(
    'GET',
    'v2/manager/appeals/{id}/frames/{frame}',
    {
      summary:
        'A sampled frame of the call of the act, with the name of its viewer on it; the look is recorded.',
      ...desk,
      query: ById.extend({ frame: z.uuid() }),
      data: z.object({}),
      gives: 'raw',
      refuses: ['not_found'],
    },
  ),
}
