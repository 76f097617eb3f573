import { z } from 'zod'
import { action, endpoint } from '../kernel/contract.ts'
import { listOf, PageQuery } from '../kernel/envelope.ts'
import { nothing, Time, Url, UserId } from '../kernel/primitives.ts'

/** Somebody on one's own block list: only what is needed to take him off it. */
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
    says: 'Neither sees, meets, calls or writes the other any more; repeating is harmless.',
    who: 'member',
    rate: '60/min',
    data: z.object({ user_id: UserId }),
    ack: nothing,
    refuses: ['not_found'],
  }),
  UNBLOCK_USER: action('UNBLOCK_USER', {
    method: 'unblockUser',
    says: 'Takes somebody off the own block list; repeating is harmless.',
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
    says: 'The same as BLOCK_USER, by its old name.',
    who: 'member',
    rate: '60/min',
    body: z.object({ user: UserId }),
    data: nothing,
    refuses: ['not_found'],
  }),
  'GET blocked': endpoint('GET', 'blocked', {
    says: 'One’s own block list, newest first.',
    who: 'member',
    query: PageQuery,
    data: listOf(Blocked),
    refuses: [],
  }),
}
