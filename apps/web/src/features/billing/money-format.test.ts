import { afterEach, expect, test } from 'vitest'
import { activate } from '../../shared/i18n.ts'
import { formatPrice, formatUnitPrice } from './money-format.ts'

afterEach(() => activate('en'))

test('a price is isolated from the direction of the text around it', async () => {
  for (const locale of ['en', 'ar', 'ru'] as const) {
    await activate(locale)
    for (const price of [formatPrice('39.99', 'USD'), formatUnitPrice('39.99', 'USD', 45)])
      expect(price).toMatch(/^\u2066[^\u2066\u2069]+\u2069$/)
  }
})

test('the price of one minute below ten cents has three digits', () => {
  expect(formatUnitPrice('36.99', 'USD', 500)).toBe('\u2066$0.074\u2069')
  expect(formatUnitPrice('39.99', 'USD', 45)).toBe('\u2066$0.89\u2069')
})
