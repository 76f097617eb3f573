import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { paginate, offsetAndLimit } from './pagination.ts'

test('one row more than a page shows that there is a next page', () => {
  const rows = Array.from({ length: 45 }, (_, index) => index)
  const read = (page: number) => {
    const asked = { page, 'per-page': 20 }
    const { offset, limit } = offsetAndLimit(asked)
    return paginate(asked, rows.slice(offset, offset + limit))
  }
  deepEqual(
    [1, 2, 3, 4].map((page) => [read(page).items.length, read(page).next]),
    [
      [20, true],
      [20, true],
      [5, false],
      [0, false],
    ],
  )
  equal(read(1).total, null)
})
