import { z } from 'zod'
import { endpoint } from '../kernel/contract.ts'
import { Token, UserId } from '../kernel/primitives.ts'

export const actions = {}

export const events = {}

export const endpoints = {
  'POST demo/sign-in': endpoint('POST', 'demo/sign-in', {
    summary: 'Demo installation only, else 404: signs in as one of the cast.',
    who: 'guest',
    banned: true,
    body: z.object({ user_id: UserId }),
    data: z.object({ token: Token }),
    refuses: ['not_found'],
  }),
}
