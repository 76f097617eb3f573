import type { CallCommands } from '../../features/calls/call-commands.ts'
import type { CallsState } from '../../features/calls/calls-state.ts'
import type { DeviceGate } from '../../features/devices/device-gate.ts'
import type { MatchmakingState } from '../../features/matchmaking/matchmaking-state.ts'
import type { SearchCommands } from '../../features/matchmaking/search-commands.ts'
import type { OwnUser } from '../../shared/account/own-user.tsx'
import type { Observable } from '../../shared/observable-store.ts'
import type { EnterCall } from './enter-call.ts'
import type { PageEngine } from './page-engine.ts'
import type { VideoScreen } from './video-screen.ts'

/** Search and calls of this page: the stores of both features, their commands, and the engine. */
export interface VideoRuntime extends Pick<PageEngine, 'engine' | 'media'> {
  readonly me: Observable<OwnUser | null>
  readonly matchmaking: Observable<MatchmakingState>
  readonly calls: Observable<CallsState>
  readonly gate: DeviceGate
  readonly enterCall: EnterCall
  readonly searchCommands: SearchCommands
  readonly callCommands: CallCommands
  readonly screen: Observable<VideoScreen>
  /** The user left the page of the search, where offers are answered: stops the search. A running call continues. */
  leaveSearch(): void
}
