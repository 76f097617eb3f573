import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { events } from '@duet/protocol'
import { cacheOf } from '../shared/cache.ts'
import { system_key } from '../shared/queries.ts'
import { places } from './fan-out.ts'
import { newsOf } from './notices.ts'

test('every event of the wire has a place, and no place waits for an event that does not exist', () => {
  expect(Object.keys(places).sort()).toEqual(Object.keys(events).sort())
})

test('the count of women online is the one that was told last', () => {
  const queries = new QueryClient()
  queries.setQueryData(system_key, { women_online: 3, client_version: '2.0.1' })
  const place = places['online.count']
  if (typeof place !== 'function') throw new Error('Impossible: the count has no place')
  place(cacheOf(queries), { woman: 7 }, undefined as never)
  expect(queries.getQueryData(system_key)).toEqual({ women_online: 7, client_version: '2.0.1' })
})

test('becoming verified and losing premium is news, being somebody else is not', () => {
  const user = (change: object) =>
    ({ id: 1, is_premium: false, info: { is_verify: false }, ...change }) as never
  expect(newsOf(user({}), user({ info: { is_verify: true } }))).toEqual(['notice.verified'])
  expect(newsOf(user({ is_premium: true }), user({}))).toEqual(['notice.premium_ended'])
  expect(newsOf(user({ is_premium: true }), user({ id: 2 }))).toEqual([])
  expect(newsOf(user({}), user({}))).toEqual([])
})
