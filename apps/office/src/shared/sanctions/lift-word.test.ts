import { expect, test } from 'vitest'
import { mayLift } from './lift-word.ts'

test('the office takes a ban back, and no suspension', () => {
  expect(mayLift({ kind: 'ban', ended_at: null })).toBe(true)
  expect(mayLift({ kind: 'ban', ended_at: '2026-01-01T00:00:00Z' })).toBe(false)
  expect(mayLift({ kind: 'suspension', ended_at: null })).toBe(false)
})
