import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { memoryStore, persistence } from '@duet/client'
import {
  AppServicesProvider,
  RefusedError,
  type AppServices,
} from '../../../shared/app-services.tsx'
import { activate, t, type TextId } from '../../../shared/i18n.ts'
import { RegisterDialog } from './register-dialog.tsx'

let root: Root
const register = vi.fn()
const declare = vi.fn()
const post = vi.fn()
const closed = vi.fn()

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  for (const mock of [register, declare, post, closed]) mock.mockReset()
  await activate('en', ['app', 'identity', 'errors'])
  root = createRoot(document.body.appendChild(document.createElement('div')))
})
afterEach(() => {
  act(() => root.unmount())
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

async function show(user: { gender?: 'M' | 'F'; age_confirmed: boolean }) {
  const snapshot = { phase: 'ready', auth: { user: { id: 1, ...user } } }
  const connection = {
    getSnapshot: () => snapshot,
    subscribe: () => () => {},
    patchUser() {},
    act: declare,
    http: { post },
    register,
  }
  const stored = persistence(memoryStore())
  const services = { connection, persistence: stored, report() {} } as unknown as AppServices
  await act(async () =>
    root.render(
      <AppServicesProvider services={services}>
        <RegisterDialog input={{}} open close={closed} />
      </AppServicesProvider>,
    ),
  )
  return stored
}

async function type(label: TextId, value: string): Promise<void> {
  const found = [...document.querySelectorAll('label')].find((one) => one.textContent === t(label))
  const input = document.getElementById(found!.htmlFor) as HTMLInputElement
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!
  await act(async () => {
    set.call(input, value)
    input.dispatchEvent(new Event('input', { bubbles: true }))
  })
}

async function fillIn(): Promise<void> {
  await type('word.nickname', 'Nina')
  await type('word.email', 'nina@x.example')
  await type('word.password', 'meadow-lantern-7')
  await type('word.birthday', '1996-05-14')
}

const submit = () => act(async () => document.querySelector('form')!.requestSubmit())

const option = (name: TextId) =>
  [...document.querySelectorAll<HTMLElement>('button[aria-pressed]')].find(
    ({ textContent }) => textContent === t(name),
  )!

test('a wrong gender that was declared before is shown, and can be corrected after a refusal', async () => {
  const stored = await show({ gender: 'M', age_confirmed: true })
  expect(option('word.man').getAttribute('aria-pressed')).toBe('true')
  await fillIn()
  register.mockRejectedValueOnce(new RefusedError('UPDATE_PROFILE', 'email_used'))
  await submit()
  expect(document.body.textContent).toContain(t('error.email_used'))
  await act(async () => option('word.woman').click())
  await type('word.email', 'nina2@x.example')
  await submit()
  expect(register.mock.calls.map(([{ gender, email }]) => [gender, email])).toEqual([
    ['M', 'nina@x.example'],
    ['F', 'nina2@x.example'],
  ])
  expect(stored.get('sex')).toBe('F')
  expect(closed).toHaveBeenCalledExactlyOnceWith(true)
})

test('a refused registration declares no gender', async () => {
  const stored = await show({ age_confirmed: false })
  await act(async () => option('word.man').click())
  for (const box of document.querySelectorAll<HTMLElement>('input[type="checkbox"]'))
    await act(async () => box.click())
  await fillIn()
  register.mockRejectedValueOnce(new RefusedError('UPDATE_PROFILE', 'email_used'))
  await submit()
  expect(post.mock.calls).toEqual([['age/confirm', { confirmed: true, terms: true }]])
  expect(register).toHaveBeenCalledOnce()
  expect(declare).not.toHaveBeenCalled()
  expect(stored.get('sex')).toBeUndefined()
})
