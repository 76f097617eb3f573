import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, expect, test, vi } from 'vitest'
import { activate, t } from '../../shared/i18n.ts'
import { mountToasts } from '../../shared/toasts.ts'
import { callPresent } from '../../shared/video/call-present.ts'
import { clearPassingOutage, showOutage, useOutage } from './outage.ts'

afterEach(() => {
  callPresent.set(false)
  clearPassingOutage()
  vi.unstubAllGlobals()
})

/** Shows the outage that blocks the page. */
function Blocked() {
  return useOutage() ?? 'nothing'
}

test('while there is a call an outage is a notice, and no dialog covers the button that ends the call', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  await activate('en', ['app', 'system'])
  const toasts: string[] = []
  const unmount = mountToasts(({ title }) => void toasts.push(String(title)))
  const root = createRoot(document.body.appendChild(document.createElement('div')))
  const blocked = () => document.body.lastElementChild!.textContent
  callPresent.set(true)
  await act(async () => root.render(<Blocked />))
  await act(async () => showOutage('no_network'))
  expect(blocked()).toBe('nothing')
  expect(toasts).toEqual([t('system.no_network')])
  await act(async () => callPresent.set(false))
  expect(blocked()).toBe('no_network')
  await act(async () => root.unmount())
  unmount()
})
