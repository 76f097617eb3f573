import { useSnapshot } from '../../../shared/app-services.tsx'
import { useEngineSnapshot } from '../call-context.tsx'
import type { RunningCall } from '../calls-state.ts'

/** The current trouble of the connection: the own connection, an absent partner, or the path between the two. */
export type Trouble =
  | { kind: 'own_line' }
  | { kind: 'partner_gone'; since_server_ms: number }
  | { kind: 'media' }
  /** The server does not let this page into the call. */
  | { kind: 'refused' }

export function useTrouble(call: RunningCall | null): Trouble | null {
  const { phase, signaling, trouble } = useEngineSnapshot()
  const line = useSnapshot().phase
  if (!call) return null
  if (!call.is_met) return null
  if (trouble === 'refused') return { kind: 'refused' }
  if (line !== 'ready' || signaling === 'lost') return { kind: 'own_line' }
  const { meter } = call
  if (meter?.phase === 'paused' && meter.why === 'gone')
    return { kind: 'partner_gone', since_server_ms: meter.phase_since }
  return phase === 'reconnecting' ? { kind: 'media' } : null
}
