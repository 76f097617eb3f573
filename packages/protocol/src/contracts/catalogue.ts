import { z } from 'zod'
import { endpoint } from '../kernel/contract.ts'
import { UserInterlocutor } from '../kernel/entities.ts'
import { Cursor, listAnswer, PageQuery } from '../kernel/envelope.ts'
import { limits } from '../kernel/limits.ts'
import { LocaleName } from '../kernel/locale-schemas.ts'
import { Count, Permission, QueryFlag } from '../kernel/primitives.ts'

/** `can_call`: of a guy who asks, whether he may call her now. */
export const CatalogueGirl = UserInterlocutor.extend({ can_call: Permission.optional() })
export type CatalogueGirl = z.output<typeof CatalogueGirl>

/** `reason_value`: the minutes of `talked`, the language of `language`. */
export const Recommendation = CatalogueGirl.extend({
  reason: z.enum(['talked', 'liked', 'language', 'best']),
  reason_value: z.union([z.string(), z.number()]).optional(),
})
export type Recommendation = z.output<typeof Recommendation>

export const actions = {}

export const events = {}

export const endpoints = {
  'GET girls': endpoint('GET', 'girls', {
    summary:
      'The catalogue; page 2 on is for premium. `after` of an answer leads to its next page, at the same cost at any depth. force_cache gives a shared copy, at most 30 s old, without personal fields.',
    who: 'any',
    rate: '60/min',
    query: PageQuery.extend({
      offline: QueryFlag.optional(),
      query: z.string().max(limits.query_characters).optional(),
      language: LocaleName.optional(),
      sort: z.enum(['best', 'new', 'online']).default('best'),
      top: QueryFlag.optional(),
      force_cache: QueryFlag.optional(),
      after: Cursor.optional(),
    }),
    data: listAnswer(CatalogueGirl).extend({ after: Cursor.optional() }),
    refuses: ['premium_only'],
  }),
  'GET girls/online': endpoint('GET', 'girls/online', {
    summary: 'Some of the girls who are online, and how many women are.',
    who: 'any',
    rate: '60/min',
    data: z.object({ items: z.array(CatalogueGirl).max(limits.page_items), woman: Count }),
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
