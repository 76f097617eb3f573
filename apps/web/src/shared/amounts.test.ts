import { afterEach, expect, test } from 'vitest'
import { formatAmount, setNumberStyle } from './amounts.ts'
import { activate } from './i18n.ts'

afterEach(async () => {
  setNumberStyle('locale')
  await activate('en')
})

test('never rounds a balance up', async () => {
  await activate('en')
  expect(formatAmount('diamond', '59.9999')).toBe('59.99')
  expect(formatAmount('diamond', '60')).toBe('60')
  expect(formatAmount('coin', '27480.129')).toBe('27,480.12')
  expect(formatAmount('coin', '214800')).toBe('214,800')
  expect(formatAmount('coin', '0.00000001', { precise: true })).toBe('0.00000001')
})

test('formats every digit of an amount that exceeds the number range', () => {
  expect(formatAmount('coin', '90071992547409931.25')).toBe('90,071,992,547,409,931.25')
})

test('applies the Russian style in every language and keeps Latin digits in Arabic', async () => {
  await activate('ar')
  expect(formatAmount('diamond', '1234.5')).toMatch(/^[\d.,]+$/)
  setNumberStyle('ru')
  expect(formatAmount('diamond', '1234.5').replace(/\s/g, ' ')).toBe('1 234,5')
})
