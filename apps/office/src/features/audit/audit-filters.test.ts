import { expect, test } from 'vitest'
import { askedBy } from './audit-filters.tsx'

const asked = (address: string) => {
  const params = new URLSearchParams(address)
  return askedBy({ value: (name) => params.get(name) ?? '' })
}

test('the filters of an address become the query, with the last day included', () => {
  const { from, to, ...others } = asked(
    'act=ban_impose&user=12&staff=7&operator=olga&from=2026-03-01&to=2026-03-01',
  )
  expect(others).toEqual({ act: 'ban_impose', user_id: 12, staff_id: 7, operator: 'olga' })
  expect(Date.parse(to!) - Date.parse(from!)).toBe(24 * 60 * 60 * 1000)
})

test('values in the address that are none of a filter filter nothing', () => {
  expect(asked('act=none&user=x&staff=-1&from=yesterday&to=2026-3-1')).toEqual({})
  expect(asked(`operator=${'a'.repeat(100)}`)).toEqual({ operator: 'a'.repeat(60) })
})
