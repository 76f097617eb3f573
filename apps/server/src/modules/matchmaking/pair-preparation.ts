import type { App } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import { createPort } from '../../core/port.ts'

interface Pair {
  readonly guy_id: UserId
  readonly girl_id: UserId
}

/**
 * The pages of two users who may meet next negotiate their connection before they meet. A preparation is a
 * help for the pages only: it never decides which users meet, costs nothing and is no meeting.
 */
export interface PairPreparation {
  /**
   * Prepares the two, or continues what is prepared. Another preparation of either ends. Undefined where
   * nothing may be prepared.
   */
  prepare(app: App, pair: Pair): string | undefined
  /** The id of the running preparation of these two. */
  find(app: App, pair: Pair): string | undefined
  /** Ends the preparation of these two. */
  cancel(app: App, pair: Pair): void
}

export const pairPreparation = createPort<PairPreparation>('the preparation of pairs', {
  prepare: () => undefined,
  find: () => undefined,
  cancel: () => {},
})
