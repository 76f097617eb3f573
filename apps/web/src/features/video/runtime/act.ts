import type { Ack, ActionName, Sent } from '@duet/protocol'
import { Refused } from '@duet/client'
import type { Session } from '../../../lib/session.tsx'
import type { LocalMedia } from '@duet/call-engine'
import type { CallState, Happened, RunningCall } from '../state/call-state.ts'

/** What every command stands on: the line to the server, the camera, and the state that it changes. */
export interface CommandParts {
  readonly session: Session
  readonly media: LocalMedia
  apply(happened: Happened): void
  getState(): CallState
}

/** Refusals that commands treat themselves. */
export const refusal = { in_call: 304, not_found: 305, pair_over: 309, too_many: 601 } as const

export function isRefused(error: unknown, ...codes: number[]): boolean {
  return error instanceof Refused && codes.includes(error.code)
}

export function act<A extends ActionName>(
  { session }: CommandParts,
  action: A,
  sent: Sent<A>,
): Promise<Ack<A>> {
  return session.connection.act(action, sent)
}

/** The error dialog, unless the refusal is one of those that mean nothing here. */
export function reportBut({ session }: CommandParts, error: unknown, ...codes: number[]): void {
  if (!isRefused(error, ...codes)) session.report(error)
}

export function runningCall({ getState }: CommandParts): RunningCall | null {
  return getState().call
}
