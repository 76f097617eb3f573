import type { Ack, ActionName, RefusalOf, Sent } from '@duet/protocol'
import { isRefused } from '@duet/client'
import type { AppServices } from '../../../shared/app-services.tsx'
import type { LocalMedia } from '@duet/call-engine'
import type { CallState, Happened, RunningCall } from '../state/call-state.ts'

/** What every command stands on: the line to the server, the camera, and the state that it changes. */
export interface CommandParts {
  readonly session: AppServices
  readonly media: LocalMedia
  apply(happened: Happened): void
  getState(): CallState
}

export function act<A extends ActionName>(
  { session }: CommandParts,
  action: A,
  sent: Sent<A>,
): Promise<Ack<A>> {
  return session.connection.act(action, sent)
}

/** Opens the error dialog, unless the action was refused by this name, which means nothing to the user here. */
export function reportUnless<A extends ActionName>(
  { session }: CommandParts,
  error: unknown,
  action: A,
  refusal: RefusalOf<A>,
): void {
  if (!isRefused(error, action, refusal)) session.report(error)
}

export function runningCall({ getState }: CommandParts): RunningCall | null {
  return getState().call
}
