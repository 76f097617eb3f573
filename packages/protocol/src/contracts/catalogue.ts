import { z } from 'zod'
import { endpoint } from '../kernel/contract.ts'
import { UserInterlocutor } from '../kernel/entities.ts'
import { listAnswer, PageQuery } from '../kernel/envelope.ts'
import { limits } from '../kernel/limits.ts'
import { LocaleName } from '../kernel/locale-schemas.ts'
import { Count, QueryFlag } from '../kernel/primitives.ts'

export const Recommendation = UserInterlocutor.extend({
  reason: z.enum(['talked', 'liked', 'language', 'best']),
  reason_value: z.union([z.string(), z.number()]).optional(),
})
export type Recommendation = z.output<typeof Recommendation>

export const actions = {}

export const events = {}

export const endpoints = {
  'GET girls': endpoint('GET', 'girls', {
    summary:
      'The catalogue; page 2 on is for premium. force_cache gives a shared copy, at most 30 s old, without personal fields.',
    who: 'any',
    rate: '60/min',
    query: PageQuery.extend({
      offline: QueryFlag.optional(),
      query: z.string().max(limits.query_characters).optional(),
      language: LocaleName.optional(),
      sort: z.enum(['best', 'new', 'online']).default('best'),
      top: QueryFlag.optional(),
      force_cache: QueryFlag.optional(),
    }),
    data: listAnswer(UserInterlocutor),
    refuses: ['premium_only'],
  }),
  'GET girls/online': endpoint('GET', 'girls/online', {
    summary: 'Some of the girls who are online, and how many women are.',
    who: 'any',
    rate: '60/min',
    data: z.object({ items: z.array(UserInterlocutor).max(limits.page_items), woman: Count }),
    refuses: [],
  }),
  'GET recommendations': endpoint('GET', 'recommendations', {
    summary: 'Girls for this viewer, each with its reason.',
    who: 'any',
    rate: '60/min',
    data: z.object({ items: z.array(Recommendation).max(limits.page_items) }),
    refuses: [],
  }),
}
