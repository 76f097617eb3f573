import { expect, test } from 'vitest'
import { themeOf } from './theme.ts'

test('dark is home until somebody chooses light, or follows a light system', () => {
  expect(themeOf(undefined, true)).toBe('dark')
  expect(themeOf('dark', true)).toBe('dark')
  expect(themeOf('light', false)).toBe('light')
  expect(themeOf('system', true)).toBe('light')
  expect(themeOf('system', false)).toBe('dark')
})
