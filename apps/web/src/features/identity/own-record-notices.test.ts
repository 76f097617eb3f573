import { expect, test } from 'vitest'
import { isPremiumOver } from './own-record-notices.ts'

test('shows a notice for the end of premium, and none for a verification or another account', () => {
  const user = (change: object) =>
    ({ id: 1, is_premium: false, info: { is_verify: false }, ...change }) as never
  expect(isPremiumOver(user({ is_premium: true }), user({}))).toBe(true)
  expect(isPremiumOver(user({}), user({ info: { is_verify: true } }))).toBe(false)
  expect(isPremiumOver(user({ is_premium: true }), user({ id: 2 }))).toBe(false)
  expect(isPremiumOver(user({}), user({}))).toBe(false)
})
