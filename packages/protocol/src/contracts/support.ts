import { z } from 'zod'
import { endpoint } from '../kernel/contract.ts'
import { listAnswer, PageQuery } from '../kernel/envelope.ts'
import { limits } from '../kernel/limits.ts'
import { Id, QueryId, boundedText, Time, Url, Uuid } from '../kernel/primitives.ts'

export const TicketMessage = z.object({
  id: Id,
  from: z.enum(['user', 'staff']),
  text: z.string(),
  images: z.array(Url),
  create_time: Time,
})
export type TicketMessage = z.output<typeof TicketMessage>
export const Ticket = z.object({
  id: Id,
  subject: z.string(),
  area: z.enum(['payment', 'payout', 'technical', 'safety', 'account', 'other']),
  state: z.enum(['open', 'answered', 'closed']),
  messages: z.array(TicketMessage),
  create_time: Time,
  updated_at: Time,
})
export type Ticket = z.output<typeof Ticket>

const Writing = z.object({
  text: boundedText(limits.ticket_characters, 1),
  images: z.array(Uuid).max(10).optional(),
})

export const actions = {}

export const events = {}

export const endpoints = {
  'GET support/tickets': endpoint('GET', 'support/tickets', {
    summary: 'The own tickets with their messages, latest change first.',
    who: 'guest',
    banned: true,
    query: PageQuery,
    data: listAnswer(Ticket),
    refuses: [],
  }),
  'POST support/tickets': endpoint('POST', 'support/tickets', {
    summary: 'Asks support; a visitor leaves an e-mail address for the answer.',
    who: 'guest',
    banned: true,
    rate: '10/hour',
    body: Writing.extend({
      subject: boundedText(limits.title_characters, 1),
      area: Ticket.shape.area.default('other'),
      email: z.string().max(limits.email_characters).optional(),
    }),
    data: Ticket,
    refuses: ['email_invalid'],
  }),
  'POST support/tickets/{id}/messages': endpoint('POST', 'support/tickets/{id}/messages', {
    summary: 'Adds a message to an own ticket.',
    who: 'guest',
    banned: true,
    rate: '30/hour',
    query: z.object({ id: QueryId }),
    body: Writing,
    data: Ticket,
    refuses: ['not_found'],
  }),
}
