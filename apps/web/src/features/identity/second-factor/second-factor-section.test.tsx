import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { notifyManager, QueryClientProvider } from '@tanstack/react-query'
import { NoAnswerError, type ClientConnection } from '@duet/client'
import { AppServicesProvider, type AppServices } from '../../../shared/app-services.tsx'
import { activate, t } from '../../../shared/i18n.ts'
import { unsavedForms } from '../../../shared/navigation/unsaved.ts'
import { createQueryClient } from '../../../shared/queries.ts'
import { SecondFactorSection } from './second-factor-section.tsx'

// Answers are shown in the same turn, not by a timer.
notifyManager.setScheduler((run) => run())
let root: Root
beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  await activate('en')
})
afterEach(() => {
  act(() => root.unmount())
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

const button = (text: string) =>
  [...document.querySelectorAll('button')].find((one) => one.textContent === text)!
async function type(index: number, value: string): Promise<void> {
  const input = document.querySelectorAll('input')[index]!
  const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!
  await act(async () => {
    set!.call(input, value)
    input.dispatchEvent(new Event('input', { bubbles: true }))
  })
}
const submit = () => act(async () => document.querySelector('form')!.requestSubmit())

test('the spare codes stay until they are kept, also when the list cannot be fetched again', async () => {
  let isBroken = false
  const answers: Record<string, object> = {
    'auth/totp/list': { on: false, spare_codes_left: 0 },
    'auth/passkey/list': { passkeys: [] },
    'auth/totp/options': { secret: 'ABCD', url: 'otpauth://totp/x' },
    'auth/totp/verify': { spare_codes: ['first-code', 'second-code'] },
  }
  const connection = {
    http: {
      get: async (path: string) => {
        if (isBroken) throw new NoAnswerError(`GET ${path}`)
        return answers[path]
      },
      post: async (path: string) => answers[path],
    },
  } as unknown as ClientConnection
  const services = { connection, report() {} } as unknown as AppServices
  const queries = createQueryClient()
  queries.setDefaultOptions({ queries: { retry: false } })
  const page = document.createElement('div')
  document.body.append(page)
  root = createRoot(page)
  await act(async () =>
    root.render(
      <QueryClientProvider client={queries}>
        <AppServicesProvider services={services}>
          <SecondFactorSection />
        </AppServicesProvider>
      </QueryClientProvider>,
    ),
  )
  await vi.waitFor(() => expect(button(t('factor.set_up'))).toBeDefined())
  await act(async () => button(t('factor.set_up')).click())
  await type(0, 'the password')
  await submit()
  isBroken = true
  await type(0, '123456')
  await submit()
  expect(document.body.textContent).toContain('first-code')
  expect(unsavedForms.getSnapshot().size).toBe(1)
  await act(async () => button(t('factor.spare_saved')).click())
  expect(document.body.textContent).not.toContain('first-code')
  expect(unsavedForms.getSnapshot().size).toBe(0)
})
