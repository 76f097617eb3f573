import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, expect, test, vi } from 'vitest'
import { useWakeLock } from './use-wake-lock.ts'

afterEach(() => vi.unstubAllGlobals())

test('the screen of the device stays on during a search or a call, also after the page was hidden', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  let held = 0
  const wakeLock = {
    request: async () => {
      held += 1
      return { release: async () => void (held -= 1) }
    },
  }
  vi.stubGlobal('navigator', { wakeLock })
  function Screen({ on }: { on: boolean }) {
    useWakeLock(on)
    return null
  }
  const root = createRoot(document.createElement('div'))
  const show = (on: boolean) => act(async () => root.render(<Screen on={on} />))
  await show(false)
  expect(held).toBe(0)
  await show(true)
  expect(held).toBe(1)
  // The browser takes the lock of a hidden page.
  held = 0
  await act(async () => document.dispatchEvent(new Event('visibilitychange')))
  expect(held).toBe(1)
  await show(false)
  expect(held).toBe(0)
  await act(async () => root.unmount())
})
