import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { PendingBar, PendingProvider, UNDO_SECONDS, usePending } from './pending-decision.tsx'

let root: Root
let pending: ReturnType<typeof usePending>

function Reader() {
  pending = usePending()
  return null
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
        <PendingProvider>
          <Reader />
          <PendingBar />
        </PendingProvider>
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
  const undo = [...document.querySelectorAll('button')].find((one) =>
    one.textContent.startsWith('Undo'),
  )
  await act(async () => undo?.click())
  await act(() => vi.advanceTimersByTimeAsync(60_000))
  expect(send).not.toHaveBeenCalled()
  expect(pending.isHidden('1')).toBe(false)
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
