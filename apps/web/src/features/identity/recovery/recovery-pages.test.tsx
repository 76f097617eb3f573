import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { MemoryRouter, Route, Routes } from 'react-router'
import { NoAnswerError, RefusedError, type ClientConnection } from '@duet/client'
import { AppServicesProvider, type AppServices } from '../../../shared/app-services.tsx'
import { activate, t, type TextId } from '../../../shared/i18n.ts'
import { ConfirmPage } from './confirm-page.tsx'
import { RecoveryPage } from './recovery-page.tsx'

let root: Root
const post = vi.fn()
const report = vi.fn()

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  post.mockReset()
  report.mockReset()
  await activate('en')
  root = createRoot(document.body.appendChild(document.createElement('div')))
})
afterEach(() => {
  act(() => root.unmount())
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

async function open(address: string): Promise<void> {
  const connection = { http: { post } } as unknown as ClientConnection
  await act(async () =>
    root.render(
      <MemoryRouter initialEntries={[address]}>
        <AppServicesProvider services={{ connection, report } as unknown as AppServices}>
          <Routes>
            <Route path="/confirm/:key" element={<ConfirmPage />} />
            <Route path="/recovery/:recoveryKey" element={<RecoveryPage />} />
          </Routes>
        </AppServicesProvider>
      </MemoryRouter>,
    ),
  )
}
const refused = (name: 'recovery_invalid' | 'invalid' | 'too_many', fields: object = {}) =>
  new RefusedError('POST x', name, { additional: { fields } })

test.each<[string, Error, TextId]>([
  ['a used link', refused('recovery_invalid'), 'confirm.invalid_text'],
  ['a link that was cut off', refused('invalid'), 'confirm.invalid_text'],
  ['too many requests', refused('too_many'), 'error.too_many'],
  ['no answer', new NoAnswerError('POST x'), 'confirm.unanswered_text'],
])('the page of a confirmation says what is true of %s', async (_case, failure, text) => {
  post.mockRejectedValue(failure)
  await open('/confirm/abc')
  expect(document.body.textContent).toContain(t(text))
})

async function enterPassword(): Promise<void> {
  const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!
  for (const input of document.querySelectorAll('input'))
    await act(async () => {
      set!.call(input, 'meadow-lantern-7')
      input.dispatchEvent(new Event('input', { bubbles: true }))
    })
  await act(async () => document.querySelector('form')!.requestSubmit())
}

test.each<[string, Error, TextId]>([
  [
    'a link that was cut off',
    refused('invalid', [{ path: 'recoveryKey' }]),
    'recovery.invalid_title',
  ],
  [
    'a password that is refused',
    refused('invalid', [{ path: 'password' }]),
    'register.wrong_password',
  ],
])('the page of a new password says what is true of %s', async (_case, failure, text) => {
  post.mockRejectedValue(failure)
  await open('/recovery/abc')
  await enterPassword()
  expect(document.body.textContent).toContain(t(text))
  expect(report).not.toHaveBeenCalled()
})

test('a new password that is refused has the focus, with its sentence', async () => {
  post.mockRejectedValue(refused('invalid', [{ path: 'password' }]))
  await open('/recovery/abc')
  document.querySelector<HTMLElement>('button[type=submit]')!.focus()
  await enterPassword()
  const wrong = document.activeElement!
  expect(wrong.tagName).toBe('INPUT')
  const sentence = document.getElementById(wrong.getAttribute('aria-describedby')!)
  expect(sentence?.textContent).toContain(t('register.wrong_password'))
})
