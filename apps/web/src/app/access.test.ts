import { expect, test } from 'vitest'
import { continuation, checkAccess } from './access.ts'

test.each([
  ['auth', 'member', 'pass'],
  ['auth', 'guest', 'refuse'],
  ['auth', 'unknown', 'wait'],
  ['guest', 'guest', 'pass'],
  ['guest', 'member', 'refuse'],
  ['guest', 'unknown', 'wait'],
  ['nobody', 'member', 'refuse'],
  ['nobody', 'guest', 'refuse'],
  ['nobody', 'unknown', 'refuse'],
] as const)('a page that needs %s and a %s: %s', (need, standing, verdict) => {
  expect(checkAccess(need, standing)).toBe(verdict)
})

test('after Login only our own pages are continued to', () => {
  expect(continuation({ login_then: '/profile/?tab=1' })).toBe('/profile/?tab=1')
  expect(continuation({ login_then: '//elsewhere.example' })).toBeUndefined()
  expect(continuation({ login_then: 'https://elsewhere.example' })).toBeUndefined()
  expect(continuation(null)).toBeUndefined()
})
