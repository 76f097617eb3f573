import { z } from 'zod'
import { endpoint } from '../kernel/contract.ts'
import { nothing, Time } from '../kernel/primitives.ts'
import { factorProof, Password } from './identity-account.ts'

export const actions = {}

export const events = {}

export const endpoints = {
  'POST delete_account': endpoint('POST', 'delete_account', {
    summary:
      'Asks for erasure and ends every login; logging in within 14 days cancels it. Repeating it changes nothing.',
    who: 'member',
    banned: true,
    rate: '10/hour',
    body: z.object({ password: Password, ...factorProof, confirm: z.literal(true) }),
    data: z.object({ erased_at: Time }),
    refuses: ['password_required', 'second_factor'],
  }),
  'GET account/export': endpoint('GET', 'account/export', {
    summary: 'The user’s own data as one zip file: JSON and media.',
    who: 'member',
    banned: true,
    rate: '5/day',
    gives: 'raw',
    data: nothing,
    refuses: [],
  }),
}
