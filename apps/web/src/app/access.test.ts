import { expect, test } from 'vitest'
import { continuation, checkAccess } from './access.ts'

test.each([
  ['member', 'member', 'allow'],
  ['member', 'guest', 'refuse'],
  ['member', 'unknown', 'wait'],
  ['guest', 'guest', 'allow'],
  ['guest', 'member', 'refuse'],
  ['guest', 'unknown', 'wait'],
  ['none', 'member', 'refuse'],
  ['none', 'guest', 'refuse'],
  ['none', 'unknown', 'refuse'],
] as const)('a page that requires %s, opened by a %s: %s', (need, standing, verdict) => {
  expect(checkAccess(need, standing)).toBe(verdict)
})

test('continues after the login only to pages of this site', () => {
  expect(continuation({ login_then: '/profile/?tab=1' })).toBe('/profile/?tab=1')
  expect(continuation({ login_then: '//elsewhere.example' })).toBeUndefined()
  expect(continuation({ login_then: 'https://elsewhere.example' })).toBeUndefined()
  expect(continuation(null)).toBeUndefined()
})
