import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { MemoryRouter, useLocation, useNavigate } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  PendingBar,
  PendingProvider,
  UNDO_SECONDS,
  useDraft,
  usePending,
} from './pending-decision.tsx'

let root: Root
let pending: ReturnType<typeof usePending>
let go: (to: string) => void
let place: string

function Reader() {
  pending = usePending()
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  go = (to) => void navigate(to)
  place = pathname + search
  return pathname === '/complaints' ? <Form key={search} id={search.slice(-1)} /> : null
}

/** A form whose words are its draft. */
function Form({ id }: { id: string }) {
  const [{ words }, change] = useDraft(id, { words: 'empty' })
  return (
    <button onClick={() => change({ words: 'written' })}>
      form {id} {words}
    </button>
  )
}

beforeEach(async () => {
  vi.useFakeTimers()
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  const place = document.createElement('div')
  document.body.replaceChildren(place)
  root = createRoot(place)
  await act(async () =>
    root.render(
      <QueryClientProvider client={new QueryClient()}>
        <MemoryRouter initialEntries={['/complaints?case=1']}>
          <PendingProvider>
            <Reader />
            <PendingBar />
          </PendingProvider>
        </MemoryRouter>
      </QueryClientProvider>,
    ),
  )
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const decide = (id: string, send: () => Promise<unknown>, when: 'now' | 'later' = 'later') =>
  act(async () => pending.decide({ id, says: `case ${id}`, send }, when))

const pressUndo = () =>
  act(async () =>
    [...document.querySelectorAll('button')]
      .find((one) => one.textContent.startsWith('Undo'))!
      .click(),
  )

test('a decision is sent after ten seconds, and not before; the newest list decides then', async () => {
  const send = vi.fn(() => Promise.resolve())
  await decide('1', send)
  expect(document.body.textContent).toContain('case 1')
  await act(() => vi.advanceTimersByTimeAsync(UNDO_SECONDS * 1000 - 1))
  expect(send).not.toHaveBeenCalled()
  expect(pending.isHidden('1')).toBe(true)
  await act(() => vi.advanceTimersByTimeAsync(1))
  expect(send).toHaveBeenCalledOnce()
  expect(pending.isHidden('1')).toBe(false)
})

test('a decision that is taken back is never sent, and its case returns', async () => {
  const send = vi.fn(() => Promise.resolve())
  await decide('1', send)
  await pressUndo()
  await act(() => vi.advanceTimersByTimeAsync(60_000))
  expect(send).not.toHaveBeenCalled()
  expect(pending.isHidden('1')).toBe(false)
})

test('an undo returns to the form with what it held, once', async () => {
  const draft = { words: 'my words' }
  const send = () => Promise.resolve()
  await act(async () => pending.decide({ id: '1', says: 'case 1', send, draft }, 'later'))
  await act(async () => go('/complaints?case=2'))
  expect(document.body.textContent).toContain('form 2 empty')
  await pressUndo()
  expect(place).toBe('/complaints?case=1')
  expect(document.body.textContent).toContain('form 1 my words')
  await decide('2', send)
  await act(async () => go('/photos'))
  await act(async () => go('/complaints?case=1'))
  expect(document.body.textContent).toContain('form 1 empty')
})

test('the form of a decision that was refused begins with its words', async () => {
  const draft = { words: 'my words' }
  const send = () => Promise.reject(new Error('no'))
  await act(async () => pending.decide({ id: '1', says: 'case 1', send, draft }, 'now'))
  await act(async () => go('/photos'))
  await act(async () => go('/complaints?case=1'))
  expect(document.body.textContent).toContain('form 1 my words')
})

test('the next decision, and leaving the page, send the waiting one once', async () => {
  const first = vi.fn(() => Promise.resolve())
  const second = vi.fn(() => Promise.resolve())
  await decide('1', first)
  await decide('2', second)
  expect(first).toHaveBeenCalledOnce()
  await act(async () => root.unmount())
  expect(second).toHaveBeenCalledOnce()
})

test('a refused decision brings its case back with the reason', async () => {
  await decide('1', () => Promise.reject(new Error('no')), 'now')
  expect(pending.isHidden('1')).toBe(false)
  expect(document.body.textContent).toContain('Something went wrong')
})

test('the sentence that a decision answers is shown until it is closed', async () => {
  await decide('1', () => Promise.resolve('Another ban stays.'), 'now')
  expect(document.body.textContent).toContain('Another ban stays.')
  const close = [...document.querySelectorAll('button')].at(-1)!
  await act(async () => close.click())
  expect(document.body.textContent).not.toContain('Another ban stays.')
})
