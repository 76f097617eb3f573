import type { EndpointsOf } from '../../core/module.ts'
import { unsubscribe } from './unsubscribe.ts'

export const endpoints = {
  'POST /unsubscribe/{token}': unsubscribe,
} satisfies EndpointsOf<'mail'>
