import { expect, test } from 'vitest'
import { isPremiumOver, refetchPictures } from './own-record-notices.ts'

test('shows a notice for the end of premium, and none for a verification or another account', () => {
  const user = (change: object) =>
    ({ id: 1, is_premium: false, info: { is_verify: false }, ...change }) as never
  expect(isPremiumOver(user({ is_premium: true }), user({}))).toBe(true)
  expect(isPremiumOver(user({}), user({ info: { is_verify: true } }))).toBe(false)
  expect(isPremiumOver(user({ is_premium: true }), user({ id: 2 }))).toBe(false)
  expect(isPremiumOver(user({}), user({}))).toBe(false)
})

test('pictures are fetched again once the age is confirmed, and for no other change', () => {
  let listen: (now: object) => void = () => {}
  let fetches = 0
  const auth = (age_confirmed: boolean, id = 1) => ({ user: { id, age_confirmed } })
  const connection = {
    getSnapshot: () => ({ phase: 'ready', auth: auth(false) }),
    on: (event: string, listener: typeof listen) => {
      if (event === 'snapshot') listen = listener
      return () => {}
    },
  }
  const queries = { invalidateQueries: async () => void (fetches += 1) }
  refetchPictures({ connection, queries } as never)
  for (const now of [auth(false), auth(true), auth(true), auth(true, 2)])
    listen({ phase: 'ready', auth: now })
  expect(fetches).toBe(1)
})
