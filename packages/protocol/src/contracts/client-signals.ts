import { z } from 'zod'
import { action } from '../kernel/contract.ts'
import { limits } from '../kernel/limits.ts'
import { nothing, withKeysUpTo } from '../kernel/primitives.ts'

export const actions = {
  D_INFO: action('D_INFO', {
    method: 'setFpt',
    summary:
      'Stores the device fingerprint; that of a guest without a row stays with the connection until the first stored action.',
    who: 'guest',
    rate: '10/min',
    data: z.object({
      fingerprint: z.string().min(1).max(limits.token_characters),
      components: withKeysUpTo(
        limits.chosen_keys,
        z.record(z.string().max(limits.name_characters), z.unknown()),
      ).optional(),
    }),
    ack: nothing,
    refuses: [],
  }),
  PRO_D_INFO: action('PRO_D_INFO', {
    method: 'setProFpt',
    summary: 'Stores the fingerprint of an outside service.',
    who: 'guest',
    rate: '10/min',
    data: z.object({
      visitor_id: z.string().min(1).max(limits.token_characters),
      request_id: z.string().min(1).max(limits.token_characters),
    }),
    ack: nothing,
    refuses: [],
  }),
}

export const events = {}

export const endpoints = {}
