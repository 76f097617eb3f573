import { expect, test } from 'vitest'
import { noticesOf } from './own-record-notices.ts'

test('shows a notice for the end of premium, and none for a verification or another account', () => {
  const user = (change: object) =>
    ({ id: 1, is_premium: false, info: { is_verify: false }, ...change }) as never
  expect(noticesOf(user({ is_premium: true }), user({}))).toEqual(['notice.premium_ended'])
  expect(noticesOf(user({}), user({ info: { is_verify: true } }))).toEqual([])
  expect(noticesOf(user({ is_premium: true }), user({ id: 2 }))).toEqual([])
  expect(noticesOf(user({}), user({}))).toEqual([])
})
