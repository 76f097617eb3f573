import { isRefused } from '@duet/client'
import { act, reportUnless, type CommandContext } from '../../shared/connection/command-context.ts'
import type { MatchmakingEvent, MatchmakingState } from './matchmaking-state.ts'

export interface RingContext extends CommandContext {
  apply(event: MatchmakingEvent): void
  getState(): MatchmakingState
  /** Opens camera and microphone without a screen of its own. Resolves to true when at least one of them is open. */
  openDevices(): Promise<boolean>
}

/** The answers of a user to a call that rings. */
export interface RingCommands {
  acceptRing(): Promise<void>
  /** Declines the call of another user, or withdraws the own call. */
  endRing(): Promise<void>
  /** The server has not ended the ring in its time: the page has no connection. */
  silenceRing(): void
  /** The user has read how the own call ended. */
  closeRing(): void
}

export function createRingCommands(context: RingContext): RingCommands {
  const { services, apply, getState } = context
  return {
    async acceptRing() {
      const { ring } = getState()
      if (!ring || ring.answer === 'accept' || ring.answer === 'end') return
      const { pair_id } = ring.pair
      apply({ type: 'ring_answered', pair_id, answer: 'accept' })
      // The call rings on while the browser asks for the devices.
      if (!(await context.openDevices()))
        return apply({ type: 'ring_answered', pair_id, answer: 'no_devices' })
      try {
        await act(context, 'SEARCH_PAIR_ACCEPT', { pair_id })
      } catch (error) {
        apply({ type: 'ring_answered', pair_id, answer: null })
        if (isRefused(error, 'SEARCH_PAIR_ACCEPT', 'pair_over'))
          apply({
            type: 'search_pair_closed',
            payload: { pair_id, reason: 'expired' },
            at_ms: Date.now(),
          })
        else services.report(error)
      }
    },
    async endRing() {
      const { ring } = getState()
      if (!ring || ring.answer === 'end') return
      const { pair_id } = ring.pair
      apply({ type: 'ring_answered', pair_id, answer: 'end' })
      await act(context, 'SEARCH_PAIR_REJECT', { pair_id }).catch((error: unknown) =>
        reportUnless(context, error, 'SEARCH_PAIR_REJECT', 'pair_over'),
      )
    },
    silenceRing: () => apply({ type: 'ring_silenced' }),
    closeRing: () => apply({ type: 'ring_closed' }),
  }
}
