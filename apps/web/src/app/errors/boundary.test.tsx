import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, expect, test, vi } from 'vitest'
import { Boundary } from './boundary.tsx'

afterEach(() => vi.unstubAllGlobals())

function Part({ fails }: { fails: boolean }) {
  if (fails) throw new Error('The part failed')
  return 'part'
}

test('shows the fallback of a broken part until the reset key changes', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.stubGlobal('reportError', () => {})
  const page = document.createElement('div')
  const root = createRoot(page, { onCaughtError() {} })
  const show = (fails: boolean, resetKey: string) =>
    act(async () =>
      root.render(
        <Boundary fallback="fallback" resetKey={resetKey}>
          <Part fails={fails} />
        </Boundary>,
      ),
    )
  await show(true, 'first call')
  expect(page.textContent).toBe('fallback')
  await show(false, 'first call')
  expect(page.textContent).toBe('fallback')
  await show(false, 'second call')
  expect(page.textContent).toBe('part')
  await act(async () => root.unmount())
})
