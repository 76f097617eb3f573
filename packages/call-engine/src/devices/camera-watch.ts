import type { EngineClock } from '../ports.ts'

export interface CameraWatchParts {
  clock: EngineClock
  /** All frames that the camera delivered so far; null where the browser does not count them, or holds the camera back. */
  frames(): number | null
  onStalled(stalled: boolean): void
  /** Still nothing after a while: opening the camera again may help. Called once. */
  onStuck(): void
}

export interface CameraWatch {
  /** Frames that another source has counted, for browsers that do not count them on the track. */
  note(frames: number): void
  stop(): void
}

const LOOK_EVERY_MS = 250
/** Slow cameras deliver five frames a second in the dark. */
export const STALLED_AFTER_MS = 500
/** A camera that was just opened may take this long for its first frame. */
const FIRST_FRAME_MS = 3_000
const STUCK_AFTER_MS = 2_500
/** After the computer slept the clock has jumped, and one look says nothing. */
const LOOKS_MIN = 2

/** Notices an open camera that delivers no frames: the track stays `live` and nothing else tells. */
export function watchCamera({ clock, frames, onStalled, onStuck }: CameraWatchParts): CameraWatch {
  let latest = 0
  let grewAtMs = clock.now_ms()
  let looks = 0
  let isStalled = false
  let wasStuck = false
  let forget = clock.after(LOOK_EVERY_MS, look)

  function look() {
    forget = clock.after(LOOK_EVERY_MS, look)
    const now = frames()
    if (now !== null) note(now)
  }

  function note(now: number) {
    if (now > latest) return grow(now)
    looks += 1
    const sinceMs = clock.now_ms() - grewAtMs
    if (looks < LOOKS_MIN || sinceMs < (latest > 0 ? STALLED_AFTER_MS : FIRST_FRAME_MS)) return
    if (!isStalled) {
      isStalled = true
      onStalled(true)
    }
    if (sinceMs < STUCK_AFTER_MS || wasStuck) return
    wasStuck = true
    onStuck()
  }

  function grow(now: number) {
    latest = now
    grewAtMs = clock.now_ms()
    looks = 0
    if (!isStalled) return
    isStalled = false
    onStalled(false)
  }

  return { note, stop: () => forget() }
}
