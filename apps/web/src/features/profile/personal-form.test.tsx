import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { AppServicesProvider, type AppServices } from '../../shared/app-services.tsx'
import { createStore } from '../../shared/observable-store.ts'
import { activate, t, type TextId } from '../../shared/i18n.ts'
import { CallsSection } from './calls-section.tsx'
import { PersonalForm } from './personal-form.tsx'

const record = {
  id: 1,
  role: 'girl',
  nick: 'Alex',
  about: 'Hello',
  birthday: '1990-01-01',
  phone: null as string | null,
  hide_countries: [],
  quiet_hours: { from: '22:00', to: '07:00', zone: 'Europe/Lisbon' },
}

let root: Root
let change: (part: object) => void
const sent = vi.fn()

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  sent.mockReset()
  await activate('en')
  const snapshots = createStore({ phase: 'ready', auth: { user: record } })
  const patchUser = (part: object) =>
    snapshots.set({
      phase: 'ready',
      auth: { user: { ...snapshots.getSnapshot().auth.user, ...part } },
    })
  change = (part) => act(() => patchUser(part))
  const connection = {
    getSnapshot: snapshots.getSnapshot,
    subscribe: snapshots.subscribe,
    patchUser,
    act: async (_action: string, fields: object) => {
      await sent(fields)
      return { user: { ...snapshots.getSnapshot().auth.user, ...fields } }
    },
  }
  const services = { connection, report() {} } as unknown as AppServices
  root = createRoot(document.body.appendChild(document.createElement('div')))
  await act(async () =>
    root.render(
      <AppServicesProvider services={services}>
        <PersonalForm />
        <CallsSection />
      </AppServicesProvider>,
    ),
  )
})
afterEach(() => {
  act(() => root.unmount())
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

function field(label: TextId): HTMLInputElement {
  const found = [...document.querySelectorAll('label')].find((one) =>
    one.textContent!.startsWith(t(label)),
  )
  return document.getElementById(found!.htmlFor) as HTMLInputElement
}

async function type(label: TextId, value: string): Promise<void> {
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!
  await act(async () => {
    set.call(field(label), value)
    field(label).dispatchEvent(new Event('input', { bubbles: true }))
  })
}

const submit = () => act(async () => document.querySelector('form')!.requestSubmit())

test('an untouched form follows a change that was saved elsewhere', () => {
  change({ nick: 'Sasha', about: 'Newer' })
  expect(field('word.nickname').value).toBe('Sasha')
  expect(document.body.textContent).not.toContain(t('profile.unsaved'))
})

test('an untouched form has nothing to save, also with blanks around a stored name', () => {
  change({ nick: ' Sasha ' })
  expect(document.body.textContent).not.toContain(t('profile.unsaved'))
})

test('saving sends the edited field only, whatever was saved elsewhere since', async () => {
  await type('profile.phone', '+351910000000')
  change({ nick: 'Sasha', about: 'Newer' })
  await submit()
  expect(sent.mock.calls).toEqual([[{ phone: '+351910000000' }]])
  expect(field('word.nickname').value).toBe('Sasha')
  expect(document.body.textContent).not.toContain(t('profile.unsaved'))
})

test('what is typed while the answer is on its way stays and is not saved yet', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  sent.mockReturnValueOnce(promise)
  await type('word.nickname', 'Sasha')
  await type('profile.phone', '+351910000000')
  await submit()
  await type('word.nickname', 'Sashenka')
  await act(async () => resolve())
  expect(field('word.nickname').value).toBe('Sashenka')
  expect(document.body.textContent).toContain(t('profile.unsaved'))
  await submit()
  expect(sent).toHaveBeenLastCalledWith({ nick: 'Sashenka' })
})

test('the failure of a change leaves the newer one alone', async () => {
  const { promise, reject } = Promise.withResolvers<void>()
  sent.mockReturnValueOnce(promise)
  await type('profile.calls.quiet_from', '20:00')
  await type('profile.calls.quiet_from', '21:00')
  await act(async () => reject(new Error('refused')))
  expect(field('profile.calls.quiet_from').value).toBe('21:00')
})

test('a field that was typed back to its stored value follows the record again', async () => {
  await type('word.nickname', 'Alexa')
  await type('word.nickname', 'Alex')
  change({ nick: 'Sasha' })
  expect(field('word.nickname').value).toBe('Sasha')
})

test('quiet hours show what is stored after a change elsewhere', async () => {
  change({ quiet_hours: { ...record.quiet_hours, from: '20:00' } })
  expect(field('profile.calls.quiet_from').value).toBe('20:00')
  await type('profile.calls.quiet_to', '09:00')
  expect(sent).toHaveBeenLastCalledWith({
    quiet_hours: { ...record.quiet_hours, from: '20:00', to: '09:00' },
  })
})

test('a change that the server refuses is taken back', async () => {
  sent.mockImplementationOnce(() => {
    throw new Error('refused')
  })
  await type('profile.calls.quiet_to', '09:00')
  expect(sent).toHaveBeenCalledOnce()
  expect(field('profile.calls.quiet_to').value).toBe('07:00')
})
