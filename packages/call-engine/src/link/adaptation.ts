import { lossBetween } from './link-reading.ts'
import type { LinkReading } from './link-reading.ts'

/**
 * A weak network reduces the picture, never the voice: each step sends a smaller picture with fewer frames. The last
 * step still sends ten frames a second. The meter needs one frame a second as proof that the partner is there.
 */
export interface AdaptationStep {
  scale_down_by: number
  max_bps: number
  max_fps: number
  /** Less than this, and the step cannot be held. */
  needs_bps: number
}

export const STEPS: readonly AdaptationStep[] = [
  { scale_down_by: 1, max_bps: 1_500_000, max_fps: 30, needs_bps: 450_000 },
  { scale_down_by: 1.5, max_bps: 700_000, max_fps: 30, needs_bps: 280_000 },
  { scale_down_by: 2, max_bps: 350_000, max_fps: 24, needs_bps: 160_000 },
  { scale_down_by: 3, max_bps: 180_000, max_fps: 15, needs_bps: 90_000 },
  { scale_down_by: 4, max_bps: 90_000, max_fps: 10, needs_bps: 0 },
]

/** Enough for clear speech, and small beside any step of the picture. */
export const VOICE_MAX_BPS = 40_000

export interface Quality {
  /** Index into STEPS. */
  step: number
  /** Whether the network, and not the machine, limits the picture. */
  weak: boolean
  bad_in_a_row: number
  good_in_a_row: number
  /**
   * The number of good readings in a row before the next step up. The number doubles each time a step up was undone.
   */
  patience: number
  went_up: boolean
  readings: number
}

export const FIRST_QUALITY: Quality = Object.freeze({
  step: 0,
  weak: false,
  bad_in_a_row: 0,
  good_in_a_row: 0,
  patience: 5,
  went_up: false,
  readings: 0,
})

/**
 * The browser's own estimate starts low and climbs for some seconds. An earlier judgement would begin every call as a
 * weak call.
 */
const WARM_UP_READINGS = 6
const BAD_IN_A_ROW = 3
const PATIENCE_MAX = 60
const LOSS_BAD = 0.1
const LOSS_GOOD = 0.03
const ROUND_TRIP_BAD_MS = 800
const ROUND_TRIP_GOOD_MS = 400
/** Headroom before a step up, so that it is not taken back at once. */
const HEADROOM = 1.4
/** From this step on the limit is visible, and screens explain it. */
const WEAK_STEP = 2

/**
 * Takes a reading each second and returns the quality to send with. Reduces the quality quickly and raises it slowly.
 */
export function adapt(quality: Quality, before: LinkReading, now: LinkReading): Quality {
  const readings = quality.readings + 1
  if (readings <= WARM_UP_READINGS) return { ...quality, readings }
  const verdict = judge(quality, before, now)
  const badInARow = verdict.startsWith('bad') ? quality.bad_in_a_row + 1 : 0
  const goodInARow = verdict === 'good' ? quality.good_in_a_row + 1 : 0
  if (badInARow >= BAD_IN_A_ROW) return stepDown({ ...quality, readings }, verdict)
  if (goodInARow >= quality.patience) return stepUp({ ...quality, readings })
  return { ...quality, readings, bad_in_a_row: badInARow, good_in_a_row: goodInARow }
}

type Verdict = 'good' | 'so_so' | 'bad_network' | 'bad_cpu'

function judge(quality: Quality, before: LinkReading, now: LinkReading): Verdict {
  const here = stepAt(quality.step)
  const above = stepAt(Math.max(0, quality.step - 1))
  const loss = lossBetween(before, now) ?? 0
  const roundTripMs = now.round_trip_ms ?? 0
  const availableBps = now.available_bps ?? Number.POSITIVE_INFINITY
  if (loss > LOSS_BAD || roundTripMs > ROUND_TRIP_BAD_MS || availableBps < here.needs_bps)
    return 'bad_network'
  if (now.held_back_by === 'cpu') return 'bad_cpu'
  const roomy = availableBps >= above.needs_bps * HEADROOM
  return loss < LOSS_GOOD && roundTripMs < ROUND_TRIP_GOOD_MS && roomy ? 'good' : 'so_so'
}

/**
 * An overloaded processor takes smaller pictures too, but that is not reported as a weak
 * connection.
 */
function stepDown(quality: Quality, verdict: Verdict): Quality {
  const step = Math.min(STEPS.length - 1, quality.step + 1)
  const patience = quality.went_up ? Math.min(PATIENCE_MAX, quality.patience * 2) : quality.patience
  const weak = quality.weak || (verdict === 'bad_network' && step >= WEAK_STEP)
  return { ...quality, step, patience, weak, went_up: false, bad_in_a_row: 0, good_in_a_row: 0 }
}

function stepUp(quality: Quality): Quality {
  const rested = { ...quality, bad_in_a_row: 0, good_in_a_row: 0 }
  if (quality.step === 0)
    return {
      ...rested,
      went_up: false,
      patience: Math.max(FIRST_QUALITY.patience, quality.patience / 2),
    }
  const step = quality.step - 1
  return { ...rested, step, went_up: true, weak: quality.weak && step >= WEAK_STEP }
}

export function stepAt(index: number): AdaptationStep {
  const step = STEPS[index]
  if (!step) throw new RangeError(`there is no step ${index}`)
  return step
}
