import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { AppServicesProvider, type AppServices } from '../../shared/app-services.tsx'
import { activate, t } from '../../shared/i18n.ts'
import { AgeGate } from './age-gate.tsx'

let root: Root
const closed = vi.fn()

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  closed.mockReset()
  await activate('en', ['app', 'identity'])
  root = createRoot(document.body.appendChild(document.createElement('div')))
  await act(async () =>
    root.render(
      <AppServicesProvider services={{} as AppServices}>
        <AgeGate input={{}} open close={closed} />
      </AppServicesProvider>,
    ),
  )
})
afterEach(() => {
  act(() => root.unmount())
  vi.unstubAllGlobals()
})

const button = (name: string) =>
  [...document.querySelectorAll('button')].find(({ textContent }) => textContent === name)

const option = (name: string) =>
  [...document.querySelectorAll<HTMLElement>('[role=radio], button')].find(
    ({ textContent }) => textContent === name,
  )

test('Escape does not close the age gate, and there is no cross', async () => {
  const gate = document.querySelector('[role="dialog"]')!
  await act(async () => {
    gate.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
    document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
  })
  expect(closed).not.toHaveBeenCalled()
  expect(document.querySelector('[aria-label="Close"]')).toBeNull()
})

test('Leave closes the age gate without a confirmation', async () => {
  await act(async () => button('Leave')!.click())
  expect(closed).toHaveBeenCalledExactlyOnceWith()
})

test('the age gate says what comes next: the camera, or for a woman the registration', async () => {
  const press = async (element: HTMLElement | undefined | null) => act(async () => element!.click())
  for (const box of document.querySelectorAll<HTMLElement>('input[type="checkbox"]'))
    await press(box)
  await press(option(t('word.man')))
  expect(document.body.textContent).toContain(t('age.next'))
  await press(option(t('word.woman')))
  expect(document.body.textContent).toContain(t('age.next_girl'))
  expect(document.body.textContent).not.toContain(t('age.next'))
})
