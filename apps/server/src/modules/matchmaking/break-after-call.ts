import type { App } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import { createPort } from '../../core/port.ts'

/**
 * Stores or removes a girl's wish for a break after her current call. After the promise resolves, the wish
 * survives a crash. False if no call of hers stores the wish, because the last call has ended. Runs outside
 * transactions.
 */
export type BreakAfterCall = (app: App, girl_id: UserId, on: boolean) => Promise<boolean>

export const breakAfterCall = createPort<BreakAfterCall>(
  'a break after the call',
  async () => false,
)
