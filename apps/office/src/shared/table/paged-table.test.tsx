import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { PagedTable } from './paged-table.tsx'

interface Row {
  readonly id: number
}

let root: Root

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: false }))
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(444)
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(37)
})
afterEach(async () => {
  await act(async () => root.unmount())
  document.body.replaceChildren()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test('a list goes on after a page without rows, and is empty only at its end', async () => {
  const asked: (string | undefined)[] = []
  const pages = {
    first: { items: [], next: true, after: 'a' },
    a: { items: [], next: true, after: 'b' },
    b: { items: [{ id: 7 }], next: false },
  }
  const fetchPage = async (_from: number | undefined, _signal: AbortSignal, after?: string) => {
    asked.push(after)
    return pages[(after ?? 'first') as keyof typeof pages]
  }
  const host = document.body.appendChild(document.createElement('div'))
  root = createRoot(host)
  await act(async () =>
    root.render(
      <QueryClientProvider client={new QueryClient()}>
        <PagedTable<Row>
          name="test"
          label="Rows"
          none="No row"
          noneYet="No row so far"
          queryKey={['rows']}
          fetchPage={fetchPage}
          rowKey={({ id }) => id}
          columns={[{ key: 'name', header: 'Name', mobile: 'main', cell: ({ id }) => `Row ${id}` }]}
        />
      </QueryClientProvider>,
    ),
  )
  const shows = (text: string) => vi.waitFor(() => expect(host.textContent).toContain(text))
  const more = async (after: string) => {
    await act(async () => host.querySelector('button')!.click())
    await vi.waitFor(() => expect(asked.at(-1)).toBe(after))
  }
  await shows('No row so far')
  await more('a')
  await shows('No row so far')
  await vi.waitFor(() => expect(host.querySelector('[aria-busy="true"]')).toBe(null))
  await more('b')
  await shows('Row 7')
  expect(asked).toEqual([undefined, 'a', 'b'])
  expect(host.textContent).not.toContain('No row')
})
