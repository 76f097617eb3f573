import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { QueryClientProvider } from '@tanstack/react-query'
import { memoryStore, persistence, type Persistence } from '@duet/client'
import { chooseStatistics } from '../../../shared/account/statistics-consent.ts'
import { StatisticsSwitch } from '../../../shared/account/statistics-switch.tsx'
import { AppServicesProvider, type AppServices } from '../../../shared/app-services.tsx'
import { activate, t } from '../../../shared/i18n.ts'
import { createQueryClient, SYSTEM_KEY } from '../../../shared/queries.ts'
import { callPresent } from '../../../shared/video/call-present.ts'
import { Statistics } from './statistics-question.tsx'

const BOTH = {
  on: true,
  counters: [
    { service: 'yandex', key: '12345' },
    { service: 'google', key: 'G-TEST1234' },
  ],
}

let root: Root
const posted: unknown[] = []

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  posted.length = 0
  await activate('en')
})
afterEach(() => {
  act(() => root.unmount())
  // Closes the frame.
  chooseStatistics(false)
  document.body.replaceChildren()
  callPresent.set(false)
  vi.unstubAllGlobals()
})

/** A page with the question and the switch of the settings, at an installation with these services. */
async function openPage(
  analytics: object = BOTH,
  stored: Persistence = persistence(memoryStore()),
  hasLoaded = true,
) {
  let begin: (payload: object) => void = () => {}
  const connection = {
    on: (name: string, listener: typeof begin) => {
      if (name === 'new_session') begin = listener
      return () => {}
    },
    system: async () => ({ features: { analytics } }),
  }
  const services = { connection, persistence: stored, report() {} } as unknown as AppServices
  const queries = createQueryClient()
  queries.setQueryData(SYSTEM_KEY, { features: { analytics } })
  const page = document.createElement('div')
  page.id = 'page'
  page.tabIndex = -1
  document.body.append(page)
  root = createRoot(page)
  await act(async () =>
    root.render(
      <AppServicesProvider services={services}>
        <QueryClientProvider client={queries}>
          {hasLoaded ? <Statistics /> : null}
          <StatisticsSwitch />
        </QueryClientProvider>
      </AppServicesProvider>,
    ),
  )
  return {
    stored,
    async call(id: number, state: 'public' | 'private') {
      await act(async () =>
        begin({ session: { id, state, user_interlocutor: { id: 42, nick: 'Vera' } } }),
      )
      await loadFrame()
    },
  }
}

const question = () => document.querySelector('section')
const frame = () => document.querySelector('iframe')

/** The test's browser loads nothing: the frame loads here, and keeps what it is sent. */
async function loadFrame() {
  const opened = frame()
  if (!opened || opened.dataset.loaded) return
  opened.dataset.loaded = 'yes'
  Object.defineProperty(opened, 'contentWindow', {
    value: { postMessage: (goal: unknown) => posted.push(goal) },
  })
  await act(async () => opened.dispatchEvent(new Event('load')))
}

async function press(text: string) {
  const buttons = [...document.querySelectorAll<HTMLElement>('button')]
  await act(async () => buttons.find((button) => button.textContent === text)!.click())
}

test('without services of statistics nothing is asked, offered or opened', async () => {
  const page = await openPage({ on: false })
  expect(document.body.textContent).toBe('')
  await act(async () => chooseStatistics(true))
  await page.call(1, 'public')
  expect(frame()).toBeNull()
})

test('before the answer nothing is opened, and a call before the answer is never counted', async () => {
  const page = await openPage()
  expect(question()!.textContent).toContain('Yandex Metrica and Google Analytics')
  await page.call(1, 'public')
  expect(frame()).toBeNull()
  await press(t('statistics.allow'))
  expect(question()).toBeNull()
  expect(frame(), 'a permission alone opens nothing').toBeNull()
  await page.call(1, 'public')
  expect(frame()).toBeNull()
  await page.call(2, 'public')
  expect(posted).toEqual(['random_video_chat'])
})

test('a public call and a call that becomes private are counted once each, by their goals alone', async () => {
  const page = await openPage()
  await press(t('statistics.allow'))
  await page.call(1, 'public')
  await page.call(1, 'public')
  await page.call(1, 'private')
  await page.call(1, 'private')
  await page.call(2, 'private')
  expect(posted).toEqual(['random_video_chat', 'direct_call', 'direct_call'])
})

test('the frame cannot reach the page and does not learn its address', async () => {
  const page = await openPage()
  await press(t('statistics.allow'))
  await page.call(1, 'public')
  const { sandbox, referrerPolicy } = frame()!
  expect([...sandbox.values()]).toEqual(['allow-scripts'])
  expect(referrerPolicy).toBe('no-referrer')
  expect(frame()!.getAttribute('src')).toBe('/statistics')
})

test('a refusal is remembered, and the settings change it both ways', async () => {
  const { stored, call } = await openPage()
  await press(t('statistics.refuse'))
  expect(question()).toBeNull()
  expect(document.activeElement?.id).toBe('page')
  expect(stored.get('statistics')).toBe(false)
  await call(1, 'public')
  expect(frame()).toBeNull()
  const choice = () => document.querySelector<HTMLElement>('input[type=checkbox]')!
  await act(async () => choice().click())
  expect(stored.get('statistics')).toBe(true)
  await call(2, 'public')
  expect(frame()).not.toBeNull()
  await act(async () => choice().click())
  expect(frame(), 'the scripts end with the permission').toBeNull()
  await call(3, 'public')
  expect(frame()).toBeNull()
  expect(posted).toEqual(['random_video_chat'])
})

test('the settings show and change the stored choice while the part that asks has not loaded', async () => {
  const stored = persistence(memoryStore())
  stored.set('statistics', true)
  await openPage(BOTH, stored, false)
  const choice = document.querySelector<HTMLInputElement>('input[type=checkbox]')!
  expect(choice.checked).toBe(true)
  await act(async () => choice.click())
  expect(stored.get('statistics')).toBe(false)
})

test('a withdrawal in another tab ends the scripts here', async () => {
  const { stored, call } = await openPage()
  await press(t('statistics.allow'))
  await call(1, 'public')
  stored.set('statistics', false)
  await act(async () => dispatchEvent(new Event('storage')))
  expect(frame()).toBeNull()
})

test('a browser that asks sites not to share data has refused, until its user permits it here', async () => {
  vi.stubGlobal('navigator', { globalPrivacyControl: true })
  const { stored } = await openPage()
  expect(question()).toBeNull()
  expect(stored.get('statistics')).toBeUndefined()
  await act(async () => document.querySelector<HTMLElement>('input[type=checkbox]')!.click())
  expect(stored.get('statistics')).toBe(true)
})

test('the question does not cover a call', async () => {
  await openPage()
  await act(async () => callPresent.set(true))
  expect(question()).toBeNull()
  await act(async () => callPresent.set(false))
  expect(question()).not.toBeNull()
})
