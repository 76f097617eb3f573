import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { QueryClientProvider } from '@tanstack/react-query'
import { BrowserRouter, Link, useNavigate, type NavigateFunction } from 'react-router'
import { memoryStore, persistence, RefusedError, type ClientConnection } from '@duet/client'
import { AppServicesProvider, type AppServices } from '../../shared/app-services.tsx'
import { dialogs } from '../../shared/dialogs.ts'
import { FrameProvider } from '../../shared/frame.tsx'
import { activate, t } from '../../shared/i18n.ts'
import { createQueryClient } from '../../shared/queries.ts'
import { backEntries } from '../../shared/navigation/back-entries.ts'
import { logOut } from '../../features/identity/log-out.ts'
import { loadProfileSections } from './load-sections.ts'
import { ProfilePage } from './profile-page.tsx'

let root: Root
let services: AppServices
let navigate: NavigateFunction
let isPhone = false
const widthListeners = new Set<() => void>()
const scrolledTo: string[] = []
let refusal: RefusedError | undefined
const sent: unknown[] = []

/** The test's browser keeps no history. This replacement goes back, and reports it later, as a real browser does. */
function keepHistory(): void {
  const entries: { state: unknown; address: string }[] = []
  const push = history.pushState.bind(history)
  vi.spyOn(history, 'pushState').mockImplementation((state, unused, address) => {
    entries.push({ state: history.state, address: location.href })
    push(state, unused, address)
  })
  vi.spyOn(history, 'back').mockImplementation(() =>
    queueMicrotask(() => {
      const { state, address } = entries.pop()!
      history.replaceState(state, '', address)
      dispatchEvent(new PopStateEvent('popstate', { state }))
    }),
  )
}

beforeEach(async () => {
  keepHistory()
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.stubGlobal('scrollTo', () => {})
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.includes('768px') && isPhone,
    addEventListener: (_type: string, listener: () => void) => widthListeners.add(listener),
    removeEventListener: (_type: string, listener: () => void) => widthListeners.delete(listener),
  }))
  Element.prototype.scrollIntoView = function (this: Element) {
    scrolledTo.push(this.id)
  }
  addEventListener('popstate', backEntries.onPopState)
  await activate('en')
  await loadProfileSections()
  sent.length = 0
  scrolledTo.length = 0
  refusal = undefined
})
afterEach(async () => {
  act(() => root.unmount())
  // The steps back of this test must not meet the history of the next test.
  await backEntries.remove({ onBack() {} })
  removeEventListener('popstate', backEntries.onPopState)
  document.body.replaceChildren()
  isPhone = false
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  history.replaceState(null, '', '/')
})

const user = {
  id: 1,
  role: 'men',
  nick: 'Alex',
  about: 'Hello',
  email: 'alex@example.org',
  avatar: null,
  birthday: '1990-05-01',
  phone: null,
  country: null,
  info: { is_verify: false, verify_state: 'none' },
}

async function openPage(address: string): Promise<void> {
  history.replaceState(null, '', address)
  const snapshot = { phase: 'ready', auth: { user } }
  const connection = {
    getSnapshot: () => snapshot,
    subscribe: () => () => {},
    on: () => () => {},
    patchUser() {},
    // Sections with lists of their own are still loading.
    http: { get: () => new Promise(() => {}) },
    system: () => new Promise(() => {}),
    logout: async () => void sent.push('logout'),
    act: async (_action: string, fields: object) => {
      sent.push(fields)
      if (refusal) throw refusal
      return { user: { ...user, ...fields } }
    },
  } as unknown as ClientConnection
  services = {
    connection,
    persistence: persistence(memoryStore()),
    report: (error) => {
      throw error
    },
  }
  const page = document.createElement('div')
  document.body.append(page)
  root = createRoot(page)
  await act(async () =>
    root.render(
      <QueryClientProvider client={createQueryClient()}>
        <AppServicesProvider services={services}>
          <BrowserRouter>
            <FrameProvider header_end={null}>
              <ProfilePage />
              <Navigation />
              <Link to="/elsewhere">elsewhere</Link>
            </FrameProvider>
          </BrowserRouter>
        </AppServicesProvider>
      </QueryClientProvider>,
    ),
  )
  await vi.waitFor(() => expect(document.querySelector('.panel')).not.toBeNull())
}

function Navigation() {
  navigate = useNavigate()
  return null
}

async function turn(toPhone: boolean): Promise<void> {
  isPhone = toPhone
  await act(async () => widthListeners.forEach((changed) => changed()))
}

const field = (label: string) => {
  const id = [...document.querySelectorAll('label')].find(
    (one) => one.textContent === label,
  )!.htmlFor
  return document.getElementById(id) as HTMLInputElement
}
async function write(label: string, value: string): Promise<void> {
  const input = await vi.waitFor(() => field(label))
  const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(input), 'value')!
  await act(async () => {
    set!.call(input, value)
    input.dispatchEvent(new Event('input', { bubbles: true }))
  })
}
const pressable = (text: string) =>
  [...document.querySelectorAll<HTMLElement>('button, a')].find(
    (element) => element.textContent === text,
  )
const press = async (text: string) => act(async () => pressable(text)!.click())
const shown = () => document.body.textContent

test('on a desktop the tabs show their sections, and an address opens its section', async () => {
  await openPage('/profile/')
  await vi.waitFor(() => expect(shown()).toContain(t('word.nickname')))
  await press(t('profile.tab.account'))
  expect(shown()).toContain(t('profile.section.preferences'))
  expect(shown()).not.toContain(t('word.nickname'))
  await act(async () => root.unmount())
  await openPage('/profile/#preferences')
  await vi.waitFor(() => expect(shown()).toContain(t('theme.label')))
})

test('a phone shows a list of sections, and one section on its page', async () => {
  isPhone = true
  await openPage('/profile/')
  expect(shown()).not.toContain(t('profile.about_help'))
  await press(t('profile.section.about'))
  await vi.waitFor(() => expect(shown()).toContain(t('profile.about_help')))
  expect(document.activeElement?.tagName).toBe('H1')
  expect(shown()).not.toContain(t('profile.section.preferences'))
})

test('a phone that is turned keeps what was typed, and shows the section in use', async () => {
  isPhone = true
  await openPage('/profile/#about')
  await write(t('word.nickname'), 'Sasha')
  await act(async () => field(t('word.nickname')).focus())
  await turn(false)
  expect(scrolledTo).toEqual(['about'])
  expect(field(t('word.nickname')).value).toBe('Sasha')
  await write(t('profile.about'), 'Hi')
  await turn(true)
  expect(field(t('word.nickname')).value).toBe('Sasha')
  expect(pressable(t('profile.section.about'))).toBeUndefined()
  expect(dialogs.getSnapshot()).toEqual([])
  await press(t('profile.save'))
  expect(sent).toEqual([{ nick: 'Sasha', about: 'Hi' }])
})

test('a desktop that becomes narrow shows the section in use in place of the list', async () => {
  await openPage('/profile/')
  await write(t('word.nickname'), 'Sasha')
  await act(async () => field(t('word.nickname')).focus())
  await turn(true)
  expect(field(t('word.nickname')).closest('[hidden]')).toBeNull()
  expect(document.activeElement).toBe(field(t('word.nickname')))
  expect(pressable(t('profile.section.preferences'))).toBeUndefined()
})

test('on a desktop the section of the address gets the focus, also by the same link again', async () => {
  await openPage('/profile/#preferences')
  expect(document.activeElement?.textContent).toBe(t('profile.section.preferences'))
  expect(scrolledTo).toContain('preferences')
  scrolledTo.length = 0
  await act(async () => navigate('/profile/#preferences'))
  expect(scrolledTo).toContain('preferences')
})

test('on a phone the row of the section has the focus after the return to the list', async () => {
  isPhone = true
  await openPage('/profile/#about')
  await act(async () => navigate('/profile/'))
  expect(document.activeElement?.textContent).toBe(t('profile.section.about'))
})

test('the save buttons appear with the first change, and only changed fields are sent', async () => {
  await openPage('/profile/')
  await vi.waitFor(() => expect(shown()).toContain(t('word.nickname')))
  expect(pressable(t('profile.save'))).toBeUndefined()
  await write(t('word.nickname'), 'Sasha')
  await press(t('profile.save'))
  expect(sent).toEqual([{ nick: 'Sasha' }])
})

test('each wrong field has its own sentence, before and after the server is asked', async () => {
  await openPage('/profile/')
  await write(t('word.nickname'), 'A')
  await write(t('word.birthday'), '2015-01-01')
  await write(t('profile.about'), 'x'.repeat(2001))
  await press(t('profile.save'))
  expect(sent).toEqual([])
  for (const id of ['error.nick_short', 'error.birthday_invalid', 'error.about_long'] as const)
    expect(shown()).toContain(t(id))
  await press(t('profile.discard'))
  await write(t('profile.phone'), 'call me')
  refusal = new RefusedError('UPDATE_PROFILE', 'invalid', {
    additional: { fields: [{ path: 'phone', message: '' }] },
  })
  await press(t('profile.save'))
  expect(shown()).toContain(t('profile.wrong_phone'))
})

test('a link asks before it leaves changes that are not saved', async () => {
  await openPage('/profile/')
  await write(t('word.nickname'), 'Sasha')
  await press('elsewhere')
  expect(location.pathname).toBe('/profile/')
  expect(dialogs.getSnapshot().map(({ name }) => name)).toEqual(['leave_unsaved'])
  await act(async () => dialogs.close(dialogs.getSnapshot()[0]!.key))
  expect(location.pathname).toBe('/profile/')
  await press('elsewhere')
  await act(async () => dialogs.close(dialogs.getSnapshot()[0]!.key, true))
  await vi.waitFor(() => expect(location.pathname).toBe('/elsewhere'))
})

test('a log-out asks first, and Stay keeps the login', async () => {
  await openPage('/profile/')
  await write(t('word.nickname'), 'Sasha')
  await act(async () => void logOut(services, navigate))
  expect(dialogs.getSnapshot().map(({ name }) => name)).toEqual(['leave_unsaved'])
  await act(async () => dialogs.close(dialogs.getSnapshot()[0]!.key))
  expect(sent).toEqual([])
  expect(location.pathname).toBe('/profile/')
  await act(async () => void logOut(services, navigate))
  await act(async () => dialogs.close(dialogs.getSnapshot()[0]!.key, true))
  await vi.waitFor(() => expect(sent).toEqual(['logout']))
  expect(location.pathname).toBe('/')
})

test('Back asks before it leaves changes that are not saved', async () => {
  history.pushState(null, '', '/before')
  history.pushState(null, '', '/profile/')
  await openPage('/profile/')
  await write(t('word.nickname'), 'Sasha')
  await vi.waitFor(() => expect(history.state.back_depth).toBe(1))
  await act(async () => history.back())
  await vi.waitFor(() => expect(dialogs.getSnapshot()).toHaveLength(1))
  await act(async () => dialogs.close(dialogs.getSnapshot()[0]!.key))
  await vi.waitFor(() => expect(history.state.back_depth).toBe(1))
  await act(async () => history.back())
  await vi.waitFor(() => expect(dialogs.getSnapshot()).toHaveLength(1))
  await act(async () => dialogs.close(dialogs.getSnapshot()[0]!.key, true))
  await vi.waitFor(() => expect(location.pathname).toBe('/before'))
})
