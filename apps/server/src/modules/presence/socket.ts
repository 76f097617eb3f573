import type { ActionsOf } from '../../core/module.ts'
import { subscribeToChannel } from './subscribe-to-channel.ts'
import { subscribe } from './subscribe.ts'
import { unsubscribe } from './unsubscribe.ts'

export const actions = {
  SUBSCRIBTION_ROOM: subscribeToChannel,
  SUBSCRIBE: subscribe,
  UNSUBSCRIBE: unsubscribe,
} satisfies ActionsOf<'presence'>
