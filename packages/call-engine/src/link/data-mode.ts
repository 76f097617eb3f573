import type { DataMode } from '@duet/protocol/kernel/entities.ts'
import { STEPS, type AdaptationStep } from './adaptation.ts'

/** The most that each mode lets through. `stills` and the voice together stay below 150 kbit/s. */
const LIMITS: Record<Exclude<DataMode, 'full'>, Omit<AdaptationStep, 'needs_bps'>> = {
  reduced: { scale_down_by: 2, max_bps: 350_000, max_fps: 15 },
  // The meter needs a frame a second: two leave one to be lost.
  stills: { scale_down_by: 2, max_bps: 100_000, max_fps: 2 },
}

const LIMITED = { reduced: limitSteps('reduced'), stills: limitSteps('stills') }

function limitSteps(mode: Exclude<DataMode, 'full'>): ReadonlyMap<AdaptationStep, AdaptationStep> {
  const { scale_down_by, max_bps, max_fps } = LIMITS[mode]
  return new Map(
    STEPS.map((step) => [
      step,
      {
        ...step,
        scale_down_by: Math.max(step.scale_down_by, scale_down_by),
        max_bps: Math.min(step.max_bps, max_bps),
        max_fps: Math.min(step.max_fps, max_fps),
      },
    ]),
  )
}

/** The step within a mode. The same step and mode give the same object, so that nothing is set twice. */
export function limitStep(step: AdaptationStep, mode: DataMode): AdaptationStep {
  return mode === 'full' ? step : (LIMITED[mode].get(step) ?? step)
}

const ORDER: readonly DataMode[] = ['stills', 'reduced', 'full']

/** The mode that lets less through: both users decide what one of them sends. */
export function lowerMode(one: DataMode, other: DataMode): DataMode {
  return ORDER.indexOf(one) < ORDER.indexOf(other) ? one : other
}
