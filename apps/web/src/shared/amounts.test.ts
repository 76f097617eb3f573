import { afterEach, expect, test } from 'vitest'
import { amountFormat, formatAmount, numberStyle } from './amounts.ts'
import { activate, t } from './i18n.ts'

afterEach(async () => {
  numberStyle.set('ru')
  await activate('en')
})

test('never rounds a balance up', async () => {
  numberStyle.set('locale')
  await activate('en')
  expect(formatAmount('diamond', '59.9999')).toBe('59.99')
  expect(formatAmount('diamond', '60')).toBe('60')
  expect(formatAmount('coin', '27480.129')).toBe('27,480.12')
  expect(formatAmount('coin', '214800')).toBe('214,800')
  expect(formatAmount('coin', '0.00000001', { precise: true })).toBe('0.00000001')
})

test('formats every digit of an amount that exceeds the number range', () => {
  numberStyle.set('locale')
  expect(formatAmount('coin', '90071992547409931.25')).toBe('90,071,992,547,409,931.25')
})

test('formats amounts in the Russian style in every language until an operator sets another one', async () => {
  for (const locale of ['en', 'ar', 'de'] as const) {
    await activate(locale)
    expect(formatAmount('coin', '214800.5')).toBe('214\u00a0800,50')
    expect(formatAmount('diamond', '1234.5')).toBe('1\u00a0234,5')
  }
})

test('formats amounts by the language of the viewer where the operator chose it, with Latin digits in Arabic', async () => {
  numberStyle.set('locale')
  expect(formatAmount('coin', '214800.5')).toBe('214,800.50')
  await activate('ar')
  expect(formatAmount('diamond', '1234.5')).toMatch(/^[\d.,]+$/)
})

test('another style is another function, so that a screen that keeps one draws its amounts again', () => {
  expect(amountFormat('locale')).not.toBe(amountFormat('ru'))
  expect(amountFormat('ru')).toBe(amountFormat('ru'))
})

test('one is singular and half of one is plural, however the number is written', () => {
  const shown = (amount: string) =>
    t('wallet.diamonds', { value: formatAmount('diamond', amount), count: Number(amount) })
  expect(['1', '1.00', '0.5', '2'].map(shown)).toEqual([
    '1 diamond',
    '1 diamond',
    '0,5 diamonds',
    '2 diamonds',
  ])
})
