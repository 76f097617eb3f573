import { z } from 'zod'
import { endpoint } from '../kernel/contract.ts'
import { UserInterlocutor } from '../kernel/entities.ts'
import { listAnswer, PageQuery } from '../kernel/envelope.ts'
import { Permission, Time } from '../kernel/primitives.ts'

export const Boy = UserInterlocutor.extend({
  last_talk: Time.optional(),
  can_write: Permission,
  can_invite: Permission,
})
export type Boy = z.output<typeof Boy>

export const actions = {}

export const events = {}

export const endpoints = {
  'GET boys': endpoint('GET', 'boys', {
    summary: 'Guys who are online, or talked with in 30 days. Premium comes first.',
    who: 'girl',
    rate: '60/min',
    query: PageQuery.extend({ filter: z.enum(['online', 'premium', 'talked']).optional() }),
    data: listAnswer(Boy),
    refuses: [],
  }),
}
