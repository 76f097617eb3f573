import type { EngineClock } from '../ports.ts'

export interface CameraWatchParts {
  clock: EngineClock
  /** All frames that the camera has delivered. If the browser does not count frames or holds the camera back, null. */
  frames(): number | null
  onStalled(stalled: boolean): void
  /** Still nothing after a while: opening the camera again may help. Called once until the watch is restarted. */
  onStuck(): void
}

export interface CameraWatch {
  /** Further frames that another source has counted, for browsers that do not count them on the track. */
  note(further: number): void
  /** The camera may need time for its next frame again: it was held back, or its frames are counted by another source. */
  restart(): void
  stop(): void
}

const LOOK_EVERY_MS = 250
/** Slow cameras deliver five frames a second in the dark. */
export const STALLED_AFTER_MS = 500
/** A camera that was just opened or held back may take this long for its first frame. */
const FIRST_FRAME_MS = 3_000
const STUCK_AFTER_MS = 2_500
/** A slow page may read the count late, so a single reading proves nothing. */
const LOOKS_MIN = 2
/**
 * After this time without a reading the computer slept, and the camera slept with it. A hidden page reads once a
 * second.
 */
const SLEPT_AFTER_MS = 3_000

/** Notices an open camera that delivers no frames: its track stays `live`, and no event reports it. */
export function watchCamera({ clock, frames, onStalled, onStuck }: CameraWatchParts): CameraWatch {
  let latest = 0
  let hasDelivered = false
  let grewAtMs = clock.now_ms()
  let lookedAtMs = grewAtMs
  let looks = 0
  let isStalled = false
  let wasStuck = false
  let forget = clock.after(LOOK_EVERY_MS, look)

  function look() {
    forget = clock.after(LOOK_EVERY_MS, look)
    if (clock.now_ms() - lookedAtMs > SLEPT_AFTER_MS) restart()
    lookedAtMs = clock.now_ms()
    const now = frames()
    if (now === null) return
    const further = now - latest
    latest = now
    note(further)
  }

  function note(further: number) {
    if (further > 0) return grow()
    looks += 1
    const sinceMs = clock.now_ms() - grewAtMs
    if (looks < LOOKS_MIN || sinceMs < (hasDelivered ? STALLED_AFTER_MS : FIRST_FRAME_MS)) return
    if (!isStalled) {
      isStalled = true
      onStalled(true)
    }
    if (sinceMs < STUCK_AFTER_MS || wasStuck) return
    wasStuck = true
    onStuck()
  }

  function grow() {
    hasDelivered = true
    grewAtMs = clock.now_ms()
    looks = 0
    if (!isStalled) return
    isStalled = false
    onStalled(false)
  }

  function restart() {
    hasDelivered = false
    grewAtMs = clock.now_ms()
    looks = 0
    wasStuck = false
  }

  return { note, restart, stop: () => forget() }
}
