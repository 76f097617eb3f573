import { act, Suspense } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { afterEach, expect, test, vi } from 'vitest'
import { Boundary } from './boundary.tsx'
import { lazyScreen } from '../../shared/lazy-screen.ts'

afterEach(() => vi.unstubAllGlobals())

test('a dialog that could not be loaded is closed, and loaded when it is opened again', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.stubGlobal('reportError', () => {})
  let isOffline = true
  let loads = 0
  const Screen = lazyScreen(
    async () => {
      loads += 1
      if (isOffline) throw new Error('no network')
      return { Greeting: () => <p>hello</p> }
    },
    (module) => module.Greeting,
  )
  const onBroken = vi.fn()
  const page = document.createElement('div')
  const root = createRoot(page, { onCaughtError() {} })
  const show = (dialog: number) =>
    act(async () =>
      root.render(
        <Boundary key={dialog} fallback="closed" onBroken={onBroken}>
          <Suspense fallback={null}>
            <Screen />
          </Suspense>
        </Boundary>,
      ),
    )
  await show(1)
  expect([page.textContent, onBroken.mock.calls.length, loads]).toEqual(['closed', 1, 1])
  isOffline = false
  await show(2)
  expect([page.textContent, onBroken.mock.calls.length, loads]).toEqual(['hello', 1, 2])
  await act(async () => root.unmount())
})

test('a screen that was loaded earlier is shown without a fallback', async () => {
  const Screen = lazyScreen(
    async () => ({ Greeting: () => <p>hello</p> }),
    (module) => module.Greeting,
  )
  await Screen.preload()
  const page = document.createElement('div')
  const root = createRoot(page)
  flushSync(() =>
    root.render(
      <Suspense fallback="waiting">
        <Screen />
      </Suspense>,
    ),
  )
  expect(page.textContent).toBe('hello')
  root.unmount()
})
