import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { MemoryRouter, useLocation, useNavigate, type NavigateFunction } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { FilterField } from './filter-field.tsx'
import { useFilters } from '../use-filters.ts'

let root: Root
let navigate: NavigateFunction
const addresses: string[] = []

function Page() {
  const filters = useFilters()
  const { search } = useLocation()
  navigate = useNavigate()
  if (addresses.at(-1) !== search) addresses.push(search)
  return <FilterField label="User" filters={filters} name="user" />
}

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  addresses.length = 0
  const place = document.createElement('div')
  document.body.replaceChildren(place)
  root = createRoot(place)
  await act(async () =>
    root.render(
      <MemoryRouter initialEntries={['/audit?act=grant']}>
        <Page />
      </MemoryRouter>,
    ),
  )
})
afterEach(() => {
  act(() => root.unmount())
  vi.unstubAllGlobals()
})

const field = () => document.querySelector('input')!

/** A key press: the field has one more letter. */
async function press(letter: string): Promise<void> {
  const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!
  await act(async () => {
    setValue.call(field(), field().value + letter)
    field().dispatchEvent(new Event('input', { bubbles: true }))
  })
}

test('every letter that is typed stays in the field, and is in the address', async () => {
  for (const letter of '1234567') await press(letter)
  expect([field().value, addresses.at(-1)]).toEqual(['1234567', '?act=grant&user=1234567'])
})

test('the field follows the address', async () => {
  await act(async () => navigate('/audit?user=77'))
  expect(field().value).toBe('77')
  expect(addresses).toEqual(['?act=grant', '?user=77'])
})
