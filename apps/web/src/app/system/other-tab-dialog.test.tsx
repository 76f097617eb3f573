import { afterEach, expect, test, vi } from 'vitest'
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import type { ClientConnection } from '@duet/client'
import { AppServicesProvider, type AppServices } from '../../shared/app-services.tsx'
import { activate, t } from '../../shared/i18n.ts'
import { OtherTabDialog } from './other-tab-dialog.tsx'

afterEach(() => vi.unstubAllGlobals())

test('a user who keeps the other tab is told to close this one, and can still take over', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  const closeTab = vi.fn()
  vi.stubGlobal('close', closeTab)
  await activate('en', ['app', 'system'])
  const reconnectNow = vi.fn()
  const snapshot = { phase: 'other_tab' }
  const connection = {
    getSnapshot: () => snapshot,
    subscribe: () => () => {},
    reconnectNow,
  } as unknown as ClientConnection
  const root = createRoot(document.body.appendChild(document.createElement('div')))
  await act(async () =>
    root.render(
      <AppServicesProvider services={{ connection } as AppServices}>
        <OtherTabDialog />
      </AppServicesProvider>,
    ),
  )
  const button = (name: string) =>
    [...document.querySelectorAll('button')].find(({ textContent }) => textContent === name)
  await act(async () => button(t('system.keep_other_tab'))!.click())
  expect(closeTab).toHaveBeenCalledOnce()
  expect(reconnectNow).not.toHaveBeenCalled()
  expect(document.querySelector('[role=status]')!.textContent).toBe(t('system.other_tab_kept'))
  expect(button(t('system.keep_other_tab'))).toBeUndefined()
  await act(async () => button(t('system.use_here'))!.click())
  expect(reconnectNow).toHaveBeenCalledOnce()
  act(() => root.unmount())
})
