import { equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { STEPS, VOICE_MAX_BPS } from './adaptation.ts'
import { limitStep, lowerMode } from './data-mode.ts'

test('stills and the voice stay below 150 kbit/s, and still send the frame that the meter needs', () => {
  for (const step of STEPS) {
    const { max_bps, max_fps } = limitStep(step, 'stills')
    ok(max_bps + VOICE_MAX_BPS <= 150_000)
    ok(max_fps >= 1)
  }
})

test('fewer frames never means more than the network carries', () => {
  for (const step of STEPS) {
    const limited = limitStep(step, 'reduced')
    ok(limited.max_fps <= 15 && limited.max_fps <= step.max_fps && limited.max_bps <= step.max_bps)
    equal(limitStep(step, 'reduced'), limited)
    equal(limitStep(step, 'full'), step)
  }
})

test('the lower of the two wishes counts', () => {
  equal(lowerMode('full', 'stills'), 'stills')
  equal(lowerMode('reduced', 'full'), 'reduced')
  equal(lowerMode('full', 'full'), 'full')
})
