import { z } from 'zod'
import { endpoint } from '../kernel/contract.ts'
import { limits } from '../kernel/limits.ts'
import { nothing, Time } from '../kernel/primitives.ts'
import { factorProof, Password } from './logins.ts'

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
  'POST account/export': endpoint('POST', 'account/export', {
    summary:
      'Confirms who asks for the own data; the key opens the file for a minute, in this login.',
    who: 'member',
    banned: true,
    rate: '10/hour',
    body: z.object({ password: Password, ...factorProof }),
    data: z.object({ key: z.string(), expires_at: Time }),
    refuses: ['password_required', 'second_factor'],
  }),
  'GET account/export': endpoint('GET', 'account/export', {
    summary:
      'The user’s own data as one zip file: JSON and media. Needs the key of POST account/export.',
    who: 'member',
    banned: true,
    rate: '5/day',
    gives: 'raw',
    query: z.object({ key: z.string().max(limits.token_characters).optional() }),
    data: nothing,
    refuses: ['password_required'],
  }),
}
