import { expect, test } from 'vitest'
import { resolveTheme } from './theme.ts'

test('the page is dark until the user chooses light or follows a light system', () => {
  expect(resolveTheme(undefined, true)).toBe('dark')
  expect(resolveTheme('dark', true)).toBe('dark')
  expect(resolveTheme('light', false)).toBe('light')
  expect(resolveTheme('system', true)).toBe('light')
  expect(resolveTheme('system', false)).toBe('dark')
})
