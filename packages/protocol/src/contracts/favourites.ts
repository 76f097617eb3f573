import { z } from 'zod'
import { action, endpoint, event } from '../kernel/contract.ts'
import { Count, Id, Permission, QueryId, UserId } from '../kernel/primitives.ts'
import { UserInterlocutor } from '../kernel/entities.ts'
import { Cursor, listAnswer, PageQuery } from '../kernel/envelope.ts'

/** `can_call`: whether the owner may call this user now. */
export const Favourite = UserInterlocutor.extend({
  favourite_id: Id,
  can_call: Permission.optional(),
})
export type Favourite = z.output<typeof Favourite>

export const actions = {
  ADD_FAVOURITE: action('ADD_FAVOURITE', {
    method: 'addFavourite',
    summary: 'Adds a user to the favourites; repeating is harmless.',
    who: 'member',
    rate: '30/min',
    data: z.object({ user_id: UserId }),
    ack: z.object({ favourite_id: Id }),
    refuses: ['not_found', 'blocked'],
  }),
  REMOVE_FAVOURITE: action('REMOVE_FAVOURITE', {
    method: 'removeFavourite',
    summary: 'Removes a favourite; repeating is harmless.',
    who: 'member',
    rate: '30/min',
    data: z.object({ user_id: UserId }),
    ack: z.object({ favourite_id: Id }),
    refuses: ['not_found'],
  }),
}

export const events = {
  add_favourite_success: event('add_favourite_success', {
    summary: 'A favourite was added; published to every tab of the owner.',
    durable: true,
    payload: z.object({ favourite_id: Id, user_id: UserId }),
  }),
  remove_favourite_success: event('remove_favourite_success', {
    summary: 'A favourite was removed.',
    durable: true,
    payload: z.object({ favourite_id: Id, user_id: UserId }),
  }),
  added_your_favorites: event('added_your_favorites', {
    summary: 'Another user added the reader to their favourites.',
    durable: true,
    payload: z.object({ user_id: UserId, nick: z.string() }),
  }),
}

export const endpoints = {
  'GET favourites_pagination': endpoint('GET', 'favourites_pagination', {
    summary:
      'The own favourites, newest first. `page` ends after the first thousand; `after` of an answer leads to its next page, at the same cost at any depth.',
    who: 'member',
    query: PageQuery.extend({ after: QueryId.optional() }),
    data: listAnswer(Favourite).extend({ after: Cursor.optional() }),
    refuses: [],
  }),
  'GET check_favourite': endpoint('GET', 'check_favourite', {
    summary: 'Whether a user is a favourite.',
    who: 'member',
    query: z.object({ check_user_id: z.coerce.number().pipe(UserId) }),
    data: z.object({ is_favorite: z.boolean() }),
    refuses: ['not_found'],
  }),
  'GET count_favourites': endpoint('GET', 'count_favourites', {
    summary: 'The number of own favourites.',
    who: 'member',
    data: z.object({ count: Count }),
    refuses: [],
  }),
}
