import { type LocalMedia, savesData } from '@duet/call-engine'
import { isSearching } from '../../../features/matchmaking/matchmaking-state.ts'
import type { AppServices } from '../../../shared/app-services.tsx'
import type { VideoState } from '../video-state.ts'
import type { FaceFinder } from './face-finder.ts'
import { createFacePresence, type PresenceReport } from './face-presence.ts'

const LOOK_MS = 2000
/** A slow device looks less often: a fifth of its time at most. */
const REST_PER_LOOK = 4

interface WatchedParts {
  readonly services: Pick<AppServices, 'connection'>
  readonly media: Pick<LocalMedia, 'getSnapshot'>
  getState(): Pick<VideoState, 'me' | 'matchmaking' | 'calls'>
}

type LoadFinder = () => Promise<FaceFinder>
const loadFinder: LoadFinder = async () => (await import('./face-finder.ts')).openFaceFinder()

/**
 * While a girl searches or talks, her device looks for a face before her camera. Whatever fails here counts as a face:
 * no girl is absent because of our library. `update` is called after each change.
 */
export function watchFace(parts: WatchedParts, load = loadFinder): { update(): void } {
  // Also a failure is kept: it is not loaded again.
  let finder: Promise<FaceFinder> | undefined
  let stop: (() => void) | undefined
  return {
    update() {
      if (isExpected(parts)) stop ??= startLooking(parts, () => (finder ??= load()))
      else {
        stop?.()
        stop = undefined
      }
    },
  }
}

function isExpected({ getState }: WatchedParts): boolean {
  const { me, matchmaking, calls } = getState()
  return me?.role === 'girl' && (isSearching(matchmaking) || calls.call !== null)
}

/** Begins after the first seconds, which belong to the search. */
function startLooking(parts: WatchedParts, getFinder: LoadFinder): () => void {
  let isStopped = false
  let finder: FaceFinder | undefined
  let timer = setTimeout(() => void run().catch(() => {}), LOOK_MS)

  async function run(): Promise<void> {
    const { features } = await parts.services.connection.system()
    const { on, absence_ms = 0 } = features.faces
    if (!on || absence_ms === 0 || savesData()) return
    const presence = createFacePresence(absence_ms, (said) => report(parts, said))
    const look = async () => {
      const track = trackToLookAt(parts)
      if (track && !isStopped) finder ??= await getFinder()
      const beganAt = performance.now()
      const isFace = track && !isStopped ? await finder?.seesFace(track) : undefined
      if (isStopped) return finder?.rest()
      const now = performance.now()
      if (isFace === undefined) presence.reset()
      else presence.saw(isFace, now)
      const restMs = Math.max(LOOK_MS, REST_PER_LOOK * (now - beganAt))
      timer = setTimeout(() => void look().catch(() => finder?.rest()), restMs)
    }
    await look()
  }

  return () => {
    isStopped = true
    clearTimeout(timer)
    finder?.rest()
  }
}

/** No camera that is off, and no page in the background. A call that still connects has the processor for itself. */
function trackToLookAt({ media, getState }: WatchedParts): MediaStreamTrack | null {
  const { video_track } = media.getSnapshot()
  const { call } = getState().calls
  if (document.hidden || (call && !call.is_met)) return null
  return video_track?.enabled ? video_track : null
}

function report({ services, getState }: WatchedParts, said: PresenceReport): void {
  const { call } = getState().calls
  const place = call ? { session_id: call.session.id } : {}
  void services.connection.act('FACE_STATE', { ...place, ...said }).catch(() => {
    // A longer absence is reported again.
  })
}
