import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { QueryClientProvider } from '@tanstack/react-query'
import {
  AppServicesProvider,
  RefusedError,
  type AppServices,
} from '../../../shared/app-services.tsx'
import { activate, t, type TextId } from '../../../shared/i18n.ts'
import { createQueryClient, SYSTEM_KEY } from '../../../shared/queries.ts'
import { EmailSection } from './email-section.tsx'
import { PasswordSection } from './password-section.tsx'

let root: Root
const changeCredentials = vi.fn()
const report = vi.fn()

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  for (const mock of [changeCredentials, report]) mock.mockReset()
  await activate('en', ['app', 'identity', 'errors'])
  root = createRoot(document.body.appendChild(document.createElement('div')))
})
afterEach(() => {
  act(() => root.unmount())
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

async function show(section: React.ReactNode, { sendsMail = true } = {}): Promise<void> {
  const snapshot = { phase: 'ready', auth: { user: { id: 1, email: 'b@x.example' } } }
  const connection = { changeCredentials, getSnapshot: () => snapshot, subscribe: () => () => {} }
  const services = { connection, report } as unknown as AppServices
  const queries = createQueryClient()
  queries.setQueryData(SYSTEM_KEY, { features: { mail: { on: sendsMail } } })
  await act(async () =>
    root.render(
      <QueryClientProvider client={queries}>
        <AppServicesProvider services={services}>{section}</AppServicesProvider>
      </QueryClientProvider>,
    ),
  )
}

function input(label: TextId): HTMLInputElement {
  const found = [...document.querySelectorAll('label')].find((one) => one.textContent === t(label))
  return document.getElementById(found!.htmlFor) as HTMLInputElement
}

async function type(label: TextId, value: string): Promise<void> {
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!
  await act(async () => {
    set.call(input(label), value)
    input(label).dispatchEvent(new Event('input', { bubbles: true }))
  })
}

async function submit(): Promise<void> {
  await act(async () => document.querySelector('form')!.requestSubmit())
}

/** The sentence that a field shows as its error. */
function errorAt(label: TextId): string | undefined {
  const { ariaInvalid } = input(label)
  const ids = input(label).getAttribute('aria-describedby')?.split(' ') ?? []
  const words = ids.map((id) => document.getElementById(id)?.textContent).join(' ')
  return ariaInvalid === 'true' || input(label).hasAttribute('aria-invalid') ? words : undefined
}

test.each([
  ['password_required', 'password.current'],
  ['password_weak', 'form.new_password'],
  ['passwords_differ', 'form.repeat_password'],
  ['too_many', 'password.current'],
] as const)(
  'a change of the password that is refused with %s says so at its field',
  async (refusal, label) => {
    await show(<PasswordSection />)
    changeCredentials.mockRejectedValue(new RefusedError('UPDATE_PROFILE', refusal))
    await type('password.current', 'the present one')
    await type('form.new_password', 'meadow-lantern-7')
    await type('form.repeat_password', 'meadow-lantern-7')
    await submit()
    expect(errorAt(label)).toContain(t(`error.${refusal}`))
    expect(report).not.toHaveBeenCalled()
  },
)

test('an empty form is not sent, and its button leads to the first field to fill', async () => {
  await show(<PasswordSection />)
  expect(document.querySelector<HTMLButtonElement>('[type=submit]')!.disabled).toBe(false)
  await submit()
  expect(document.activeElement).toBe(input('form.new_password'))
  expect(changeCredentials).not.toHaveBeenCalled()
})

test('two different passwords are not sent', async () => {
  await show(<PasswordSection />)
  await type('password.current', 'the present one')
  await type('form.new_password', 'meadow-lantern-7')
  await type('form.repeat_password', 'meadow-lantern-8')
  await submit()
  expect(errorAt('form.repeat_password')).toContain(t('error.passwords_differ'))
  expect(changeCredentials).not.toHaveBeenCalled()
})

test.each([
  ['email_used', 'email.new'],
  ['email_invalid', 'email.new'],
  ['password_required', 'password.current'],
] as const)(
  'a change of the address that is refused with %s says so at its field',
  async (refusal, label) => {
    await show(<EmailSection />)
    changeCredentials.mockRejectedValue(new RefusedError('UPDATE_PROFILE', refusal))
    await type('email.new', 'c@x.example')
    await type('password.current', 'the present one')
    await submit()
    expect(errorAt(label)).toContain(t(`error.${refusal}`))
    expect(report).not.toHaveBeenCalled()
  },
)

test('without mails no link is promised, and none can be asked for', async () => {
  await show(<EmailSection />)
  const resend = () =>
    [...document.querySelectorAll('button')].some((one) => one.textContent === t('email.resend'))
  expect(resend()).toBe(true)
  await show(null)
  await show(<EmailSection />, { sendsMail: false })
  expect(resend()).toBe(false)
  expect(document.body.textContent).toContain(t('email.no_mail'))
  for (const promise of [
    'email.change_help',
    'email.unconfirmed',
    'email.unconfirmed_text',
  ] as const)
    expect(document.body.textContent).not.toContain(t(promise))
})

test('a refused change takes the focus to the first wrong field', async () => {
  await show(<PasswordSection />)
  await type('password.current', 'the-old-one')
  await type('form.new_password', 'meadow-lantern-7')
  await type('form.repeat_password', 'another')
  await submit()
  expect(document.activeElement).toBe(input('form.repeat_password'))
  await type('form.repeat_password', 'meadow-lantern-7')
  changeCredentials.mockRejectedValue(new RefusedError('POST profile', 'password_required'))
  await submit()
  expect(document.activeElement).toBe(input('password.current'))
})
