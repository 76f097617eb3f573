import { z } from 'zod'
import { action, event } from '../kernel/contract.ts'
import { Status, SubStatus } from '../kernel/entities.ts'
import { limits } from '../kernel/limits.ts'
import { Count, nothing, UserId } from '../kernel/primitives.ts'

export const UserStatus = z.object({
  user_id: UserId,
  status: Status,
  sub_status: SubStatus.nullable(),
})
export type UserStatus = z.output<typeof UserStatus>

const UserIds = z.object({ user_ids: z.array(UserId).max(limits.subscriptions) })

export const actions = {
  SUBSCRIBTION_ROOM: action('SUBSCRIBTION_ROOM', {
    method: 'subscribeRoom',
    summary:
      'Subscribes to a public room, or unsubscribes: the catalogue, the online count, the ranking.',
    who: 'guest',
    data: z.object({ room: z.enum(['girls', 'online', 'top']), on: z.boolean() }),
    ack: nothing,
    refuses: [],
  }),
  SUBSCRIBE: action('SUBSCRIBE', {
    method: 'subscribe',
    summary:
      'Subscribes to the status of these users; a user that the viewer may not see is offline.',
    who: 'guest',
    rate: '60/min',
    data: UserIds,
    ack: z.object({ statuses: z.array(UserStatus) }),
    refuses: [],
  }),
  UNSUBSCRIBE: action('UNSUBSCRIBE', {
    method: 'unsubscribe',
    summary: 'No longer follows the status of these people.',
    who: 'guest',
    data: UserIds,
    ack: nothing,
    refuses: [],
  }),
}

export const events = {
  update_status_user: event('update_status_user', {
    summary: 'The status of a followed user changed.',
    payload: UserStatus,
  }),
  update_status_girl: event('update_status_girl', {
    summary: 'A girl of the catalogue came, went or is busy.',
    payload: z.object({ user_id: UserId, status: Status }),
  }),
  'online.count': event('online.count', {
    summary: 'How many women are online.',
    payload: z.object({ woman: Count }),
  }),
}

export const endpoints = {}
