import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { MemoryRouter, useLocation } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useFilters } from './use-filters.ts'

let root: Root
let filters: ReturnType<typeof useFilters>
let address: string

function Reader() {
  filters = useFilters()
  address = useLocation().search
  return null
}

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  root = createRoot(document.createElement('div'))
  await act(async () =>
    root.render(
      <MemoryRouter initialEntries={['/audit?act=grant']}>
        <Reader />
      </MemoryRouter>,
    ),
  )
})
afterEach(() => {
  act(() => root.unmount())
  vi.unstubAllGlobals()
})

test('two changes within one event are both in the address', async () => {
  await act(async () => {
    filters.filter('user', '7')
    filters.filter('act', '')
  })
  expect(address).toBe('?user=7')
  await act(async () => filters.filter('operator', 'olga'))
  expect(address).toBe('?user=7&operator=olga')
})
