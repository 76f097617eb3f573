/** A face counts as gone only after this many pictures without it: a turned head is no absence. */
const MISSES_MIN = 2

export interface PresenceReport {
  readonly present: boolean
  readonly since_ms: number
}

/** Follows whether a face is seen. `report` is called after each `absence_ms` without a face, and when it is back. */
export interface FacePresence {
  saw(isFace: boolean, nowMs: number): void
  /** The search or call is over, or the camera is off. */
  reset(): void
}

export function createFacePresence(
  absenceMs: number,
  report: (said: PresenceReport) => void,
): FacePresence {
  let goneAtMs: number | null = null
  let misses = 0
  let reports = 0
  const reset = () => {
    goneAtMs = null
    misses = 0
    reports = 0
  }
  return {
    saw(isFace, nowMs) {
      if (isFace) {
        if (reports > 0) report({ present: true, since_ms: 0 })
        return reset()
      }
      misses += 1
      goneAtMs ??= nowMs
      const since = nowMs - goneAtMs
      if (misses < MISSES_MIN || since < absenceMs * (reports + 1)) return
      reports += 1
      report({ present: false, since_ms: Math.round(since) })
    },
    reset,
  }
}
