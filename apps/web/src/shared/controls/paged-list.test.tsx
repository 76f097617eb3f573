import { QueryClientProvider } from '@tanstack/react-query'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AppServicesProvider, type AppServices } from '../app-services.tsx'
import { activate } from '../i18n.ts'
import { createQueryClient } from '../queries.ts'
import { PagedList } from './paged-list.tsx'
import { usePages } from './use-pages.ts'

let root: Root
/** The answer to each page. An error refuses the page. */
let pages: ({ items: { id: number }[]; next: boolean } | Error)[]

function List() {
  return (
    <PagedList pages={usePages('blocked')} failed="It failed." skeleton={null} empty={<p>Empty</p>}>
      {(items) => <output>{items.map(({ id }) => id).join()}</output>}
    </PagedList>
  )
}

async function show(): Promise<void> {
  const get = async (_call: string, { page }: { page: number }) => {
    const answer = pages[page - 1]!
    if (answer instanceof Error) throw answer
    return { ...answer, page }
  }
  const queries = createQueryClient()
  queries.setDefaultOptions({ queries: { retry: false } })
  const services = { connection: { http: { get } }, report() {} } as unknown as AppServices
  root = createRoot(document.body.appendChild(document.createElement('div')))
  await act(async () =>
    root.render(
      <QueryClientProvider client={queries}>
        <AppServicesProvider services={services}>
          <List />
        </AppServicesProvider>
      </QueryClientProvider>,
    ),
  )
  await settle()
}

const settle = () => act(async () => new Promise((resolve) => setTimeout(resolve)))
const text = () => document.body.textContent
async function press(name: string): Promise<void> {
  const button = [...document.querySelectorAll('button')].find((one) => one.textContent === name)!
  await act(async () => button.click())
  await settle()
}

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  await activate('en')
})
afterEach(() => {
  act(() => root.unmount())
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

test('shows every page after the other, an item of two pages once, and no button after the last page', async () => {
  pages = [
    { items: [{ id: 3 }, { id: 2 }], next: true },
    { items: [{ id: 2 }, { id: 1 }], next: false },
  ]
  await show()
  expect(text()).toBe('3,2Show more')
  await press('Show more')
  expect(text()).toBe('3,2,1')
})

test('an empty list shows what stands in its place', async () => {
  pages = [{ items: [], next: false }]
  await show()
  expect(text()).toBe('Empty')
})

test('a list that could not be fetched says so and is fetched again', async () => {
  pages = [new Error('lost')]
  await show()
  expect(document.querySelector('[role=alert]')!.textContent).toContain('It failed.')
  pages = [{ items: [{ id: 1 }], next: false }]
  await press('Try again')
  expect(text()).toBe('1')
})

test('when a later page could not be fetched, the items stay and the page can be fetched again', async () => {
  pages = [{ items: [{ id: 2 }], next: true }, new Error('lost')]
  await show()
  await press('Show more')
  expect(text()).toBe('2It failed.Try again')
  pages[1] = { items: [{ id: 1 }], next: false }
  await press('Try again')
  expect(text()).toBe('2,1')
})

test('the next page follows by itself when its place comes near, up to a hundred items', async () => {
  let near = () => {}
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(onChange: (entries: { isIntersecting: boolean }[]) => void) {
        near = () => onChange([{ isIntersecting: true }])
      }
      observe() {}
      disconnect() {
        near = () => {}
      }
    },
  )
  const fifty = (first: number) => Array.from({ length: 50 }, (_, index) => ({ id: first + index }))
  pages = [
    { items: fifty(0), next: true },
    { items: fifty(50), next: true },
    { items: fifty(100), next: false },
  ]
  const count = () => document.querySelector('output')!.textContent.split(',').length
  const scrollToEnd = async () => {
    act(() => near())
    await settle()
  }
  await show()
  await scrollToEnd()
  expect(count()).toBe(100)
  await scrollToEnd()
  expect(count()).toBe(100)
  await press('Show more')
  expect(count()).toBe(150)
})
