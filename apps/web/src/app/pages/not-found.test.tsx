import { afterEach, expect, test, vi } from 'vitest'
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { MemoryRouter } from 'react-router'
import { AppServicesProvider, type AppServices } from '../../shared/app-services.tsx'
import { FrameProvider, useFrame } from '../../shared/frame.tsx'
import { activate } from '../../shared/i18n.ts'
import { NotFound } from './not-found.tsx'

afterEach(() => vi.unstubAllGlobals())

function FrameState() {
  return <output>{useFrame().isImmersive ? 'no frame' : 'frame'}</output>
}

test('the not-found page has its footer and hides the navigation of members', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  await activate('en', ['app', 'landing', 'system'])
  const page = document.createElement('div')
  const root = createRoot(page)
  await act(async () =>
    root.render(
      <AppServicesProvider services={{} as AppServices}>
        <MemoryRouter>
          <FrameProvider header_end={null}>
            <NotFound />
            <FrameState />
          </FrameProvider>
        </MemoryRouter>
      </AppServicesProvider>,
    ),
  )
  expect(page.querySelector('output')!.textContent).toBe('no frame')
  expect(page.querySelector('footer')).not.toBeNull()
  act(() => root.unmount())
})
