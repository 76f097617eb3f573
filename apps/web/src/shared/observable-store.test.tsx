import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createStore, useStore } from './observable-store.ts'

beforeEach(() => vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true))
afterEach(() => vi.unstubAllGlobals())

test('notifies listeners after a change, and only after a change', () => {
  const store = createStore({ count: 0 })
  let calls = 0
  const unsubscribe = store.subscribe(() => (calls += 1))
  store.update((state) => ({ count: state.count + 1 }))
  store.set(store.getSnapshot())
  expect([store.getSnapshot().count, calls]).toEqual([1, 1])
  unsubscribe()
  store.set({ count: 2 })
  expect(calls).toBe(1)
})

test('a listener that throws is reported and does not stop the other listeners', () => {
  const reported: unknown[] = []
  vi.stubGlobal('reportError', (error: unknown) => reported.push(error))
  const store = createStore(0)
  const seen: number[] = []
  const failure = new Error('broken screen')
  store.subscribe(() => {
    throw failure
  })
  store.subscribe(() => seen.push(store.getSnapshot()))
  store.set(1)
  expect(seen).toEqual([1])
  expect(reported).toEqual([failure])
})

test('a component renders again only when the selected part changed', async () => {
  const store = createStore({ name: 'Anna', clock: 0 })
  let renders = 0
  function Name() {
    renders += 1
    return useStore(store, (state) => state.name)
  }
  const container = document.createElement('div')
  const root = createRoot(container)
  await act(async () => root.render(<Name />))
  await act(async () => store.update((state) => ({ ...state, clock: 1 })))
  expect(renders).toBe(1)
  await act(async () => store.update((state) => ({ ...state, name: 'Sofia' })))
  expect(container.textContent).toBe('Sofia')
  await act(async () => root.unmount())
})
