import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { SYSTEM_KEY } from '../../shared/queries.ts'
import { presence } from './feature.ts'

test('the count of women online is replaced by the latest event', () => {
  const queries = new QueryClient()
  queries.setQueryData(SYSTEM_KEY, { women_online: 3, client_version: '2.0.1' })
  presence.events['online.count']({ woman: 7 }, { queries } as never)
  expect(queries.getQueryData(SYSTEM_KEY)).toEqual({ women_online: 7, client_version: '2.0.1' })
})

test('a count before the first answer of the server creates no incomplete answer', () => {
  const queries = new QueryClient()
  presence.events['online.count']({ woman: 7 }, { queries } as never)
  expect(queries.getQueryData(SYSTEM_KEY)).toBeUndefined()
})
