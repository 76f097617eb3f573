import { z } from 'zod'
import { action } from '../kernel/contract.ts'
import { limits } from '../kernel/limits.ts'
import { ChangeId } from '../kernel/primitives.ts'

/** A row of the change log, rendered for its reader when it is read. */
export const Change = z.object({
  change_id: ChangeId,
  event: z.string(),
  payload: z.record(z.string(), z.unknown()),
})
export type Change = z.output<typeof Change>

export const actions = {
  GET_CHANGES: action('GET_CHANGES', {
    method: 'getChanges',
    summary:
      'The durable events after the last change applied; reset means that it is too old and the state must be fetched again.',
    who: 'member',
    banned: true,
    // Enough to read the changes of a long absence in pages.
    rate: '60/min',
    data: z.object({ since: ChangeId }),
    ack: z.object({
      changes: z.array(Change).max(limits.changes),
      next: z.boolean(),
      reset: z.boolean(),
    }),
    refuses: [],
  }),
}

export const events = {}

export const endpoints = {}
