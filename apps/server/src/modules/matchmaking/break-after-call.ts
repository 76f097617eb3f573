import type { App } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import { createPort } from '../../core/port.ts'

/**
 * Stores a girl's wish for a break after her current call, or takes it back; when it resolves the wish survives a crash.
 * False: no call of hers has it, because the last one has ended. Runs outside transactions.
 */
export type BreakAfterCall = (app: App, girl_id: UserId, on: boolean) => Promise<boolean>

export const breakAfterCall = createPort<BreakAfterCall>(
  'a break after the call',
  async () => false,
)
