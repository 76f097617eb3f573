import { expect, test } from 'vitest'
import { withPerson } from './cache.ts'

const anna = { id: 1, nick: 'Anna', sub_status: 'free', status: 'online', is_favorite: false }
const boris = { id: 2, nick: 'Boris', sub_status: 'free', status: 'online', is_favorite: false }

test('somebody who changed is changed wherever he stands, and nothing else is touched', () => {
  const kept = {
    pages: [{ items: [anna, boris] }, { items: [{ ...anna, favourite_id: 9 }] }],
    total: 3,
  }
  const next = withPerson(kept, 1, { is_favorite: true }) as typeof kept
  expect(next.pages[0]!.items[0]!.is_favorite).toBe(true)
  expect(next.pages[1]!.items[0]).toMatchObject({ favourite_id: 9, is_favorite: true })
  expect(next.pages[0]!.items[1]).toBe(boris)
})

test('where he does not stand the very same value remains', () => {
  const kept = { items: [boris], packages: [{ id: 1, price: '14.99' }] }
  expect(withPerson(kept, 1, { is_favorite: true })).toBe(kept)
})
