import { z } from 'zod'
import { action, endpoint } from '../kernel/contract.ts'
import { listAnswer, PageQuery } from '../kernel/envelope.ts'
import { nothing, Time, Url, UserId } from '../kernel/primitives.ts'

/** A user on the viewer's block list, with only the fields needed to remove them. */
export const Blocked = z.object({
  id: UserId,
  nick: z.string(),
  avatar: Url.nullable(),
  create_time: Time,
})
export type Blocked = z.output<typeof Blocked>

export const actions = {
  BLOCK_USER: action('BLOCK_USER', {
    method: 'blockUser',
    summary:
      'Blocks a user: neither of the two sees, meets, calls or writes to the other; repeating is harmless.',
    who: 'member',
    rate: '60/min',
    data: z.object({ user_id: UserId }),
    ack: nothing,
    refuses: ['not_found'],
  }),
  UNBLOCK_USER: action('UNBLOCK_USER', {
    method: 'unblockUser',
    summary: 'Removes a user from the own block list; repeating is harmless.',
    who: 'member',
    rate: '60/min',
    data: z.object({ user_id: UserId }),
    ack: nothing,
    refuses: ['not_found'],
  }),
}

export const events = {}

export const endpoints = {
  'POST ban_user': endpoint('POST', 'ban_user', {
    summary: 'The same as BLOCK_USER, by its old name.',
    who: 'member',
    rate: '60/min',
    body: z.object({ user: UserId }),
    data: nothing,
    refuses: ['not_found'],
  }),
  'GET blocked': endpoint('GET', 'blocked', {
    summary: 'The own block list, newest first.',
    who: 'member',
    query: PageQuery,
    data: listAnswer(Blocked),
    refuses: [],
  }),
}
