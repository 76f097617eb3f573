import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { RefusedError, type ClientConnection } from '@duet/client'
import { AppServicesProvider, type AppServices } from '../../shared/app-services.tsx'
import { dialogs } from '../../shared/dialogs.ts'
import { activate, t } from '../../shared/i18n.ts'
import { DeleteAccountDialog } from './delete-account-dialog.tsx'

let root: Root
let answer: (done: object) => void
let refuse: (error: Error) => void
const close = vi.fn()

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener() {},
    removeEventListener() {},
  }))
  close.mockReset()
  await activate('en')
  vi.useFakeTimers()
  root = createRoot(document.body.appendChild(document.createElement('div')))
  await show(true)
  for (let second = 0; second <= 5; second += 1)
    await act(async () => vi.advanceTimersByTimeAsync(1000))
})
afterEach(() => {
  act(() => root.unmount())
  vi.useRealTimers()
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

const snapshot = { auth: { user: { role: 'men', balance: '1', balance_messages: 2 } } }
const connection = {
  getSnapshot: () => snapshot,
  subscribe: () => () => {},
  deleteAccount: () => {
    const { promise, resolve, reject } = Promise.withResolvers<object>()
    answer = resolve
    refuse = reject
    return promise
  },
} as unknown as ClientConnection

const show = (open: boolean) =>
  act(async () =>
    root.render(
      <AppServicesProvider services={{ connection, report() {} } as unknown as AppServices}>
        <DeleteAccountDialog input={{}} open={open} close={close} />
      </AppServicesProvider>,
    ),
  )
const button = (text: string) =>
  [...document.querySelectorAll('button')].find((one) => one.textContent?.includes(text))!
const press = (text: string) => act(async () => button(text).click())
const escape = () =>
  act(async () =>
    document.activeElement!.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }),
    ),
  )

test('says what is lost in the singular and the plural', () => {
  expect(document.body.textContent).toContain('You lose 1 minute and 2 messages.')
})

test('says that Premium is lost', async () => {
  Object.assign(snapshot.auth.user, { is_premium: true, premium_until: '2026-12-24T12:00:00Z' })
  await show(true)
  expect(document.body.textContent).toContain(
    t('privacy.ask.premium', { day: 'December 24, 2026' }),
  )
})

test('a deletion that is under way can no longer be kept, one that was refused can', async () => {
  await press(t('privacy.ask.confirm'))
  expect(button(t('privacy.ask.keep')).disabled).toBe(true)
  await escape()
  expect(close).not.toHaveBeenCalled()
  await act(async () => refuse(new RefusedError('POST delete_account', 'password_required')))
  expect(document.body.textContent).toContain(t('error.password_required'))
  await press(t('privacy.ask.keep'))
  expect(close).toHaveBeenCalledWith()
})

test('Back during the request takes the dialog away, and the answer is told nevertheless', async () => {
  await press(t('privacy.ask.confirm'))
  await show(false)
  await act(async () => answer({ erased_at: '2026-12-06T00:00:00Z' }))
  expect(dialogs.getSnapshot().map(({ name }) => name)).toEqual(['account_leaves'])
  dialogs.closeAll()
})
