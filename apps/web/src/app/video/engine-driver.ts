import { isSearching } from '../../features/matchmaking/matchmaking-state.ts'
import type { PageEngine } from './page-engine.ts'
import type { VideoState } from './video-state.ts'

export interface EngineDriver {
  /** This tab authenticated: its engine may run. */
  activate(): void
  /** Another tab took over: nothing starts here until this tab authenticates again. */
  deactivate(): void
  release(): void
  /** The user left: the media stops at once. Resolves when the last report is sent. */
  leave(): Promise<void>
  update(): void
}

/** Starts and ends the engine and the signaling as search and calls require it. */
export function createEngineDriver(
  { engine, signaling, tab }: PageEngine,
  getState: () => VideoState,
): EngineDriver {
  /** The call with which the engine was started. Each call is started once after each AUTH. */
  let startedId: number | null = null
  let isAway = false

  function release(): void {
    startedId = null
    engine.release()
    signaling.close()
  }

  return {
    release,
    leave() {
      startedId = null
      return engine.leave()
    },
    activate() {
      isAway = false
      if (engine.getSnapshot().phase === 'ended') startedId = null
    },
    deactivate() {
      isAway = true
      tab.set('call_here', undefined)
      release()
    },
    update() {
      if (isAway) return
      const { matchmaking, calls } = getState()
      const { call, left } = calls
      const isJoined = call?.entry === 'joined'
      if (isJoined || left || isSearching(matchmaking)) signaling.open()
      else signaling.close()
      if (isJoined && !call.leaving && startedId !== call.session.id) {
        startedId = call.session.id
        tab.set('call_here', startedId)
        const { session_guid, initiator, prepare_id } = call.session
        const fresh = { session_guid, initiator, prepare_id }
        engine.start({ session_id: startedId, ...(call.is_fresh && fresh) })
      }
      if (call) engine.data_use.ask(call.partner_media.data_mode)
      if (startedId !== null && startedId !== call?.session.id) {
        startedId = null
        engine.end()
      }
    },
  }
}
