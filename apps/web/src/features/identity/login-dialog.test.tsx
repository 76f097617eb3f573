import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { memoryStore, persistence, type ClientConnection } from '@duet/client'
import { AppServicesProvider } from '../../shared/app-services.tsx'
import { activate, loadTexts } from '../../shared/i18n.ts'
import { LoginDialog } from './login-dialog.tsx'

let root: Root
const login = vi.fn<(given: object) => Promise<object>>(async () => ({}))
const fields = () => [...document.querySelectorAll('input')]
const button = () => document.querySelector<HTMLButtonElement>('[type=submit]')!

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.stubGlobal('matchMedia', () => ({
    matches: true,
    addEventListener() {},
    removeEventListener() {},
  }))
  await activate('en')
  await loadTexts('identity')
  const connection = { login, getSnapshot: () => ({}), subscribe: () => () => {} }
  root = createRoot(document.body.appendChild(document.createElement('div')))
  await act(async () =>
    root.render(
      <AppServicesProvider
        services={{
          connection: connection as unknown as ClientConnection,
          persistence: persistence(memoryStore()),
          report() {},
        }}
      >
        <LoginDialog input={{}} open close={() => {}} />
      </AppServicesProvider>,
    ),
  )
})
afterEach(() => {
  act(() => root.unmount())
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

test('the button of the login is never grey: with an empty field it leads to the field', async () => {
  expect(button().disabled).toBe(false)
  const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!
  await act(async () => {
    setValue.call(fields()[0], 'leo@duet.example')
    fields()[0]!.dispatchEvent(new Event('input', { bubbles: true }))
  })
  await act(async () => document.querySelector('form')!.requestSubmit())
  expect(document.activeElement).toBe(fields()[1])
  expect(login).not.toHaveBeenCalled()
})
