import { z } from 'zod'
import { endpoint } from '../kernel/contract.ts'
import { limits } from '../kernel/limits.ts'
import { nothing } from '../kernel/primitives.ts'

export const actions = {}

export const events = {}

export const endpoints = {
  /** A mail program sends the form of RFC 8058 to the address in the header of the mail; the page at it sends nothing more. */
  'POST /unsubscribe/{token}': endpoint('POST', '/unsubscribe/{token}', {
    summary: 'Ends mails about notices by the signed address of one of them.',
    who: 'any',
    banned: true,
    takes: 'form',
    query: z.object({ token: z.string().max(limits.token_characters) }),
    data: nothing,
    refuses: ['not_found'],
  }),
}
