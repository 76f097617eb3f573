import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { MemoryRouter } from 'react-router'
import { QueryClientProvider } from '@tanstack/react-query'
import { memoryStore, persistence, type ClientConnection } from '@duet/client'
import { PreferencesSection } from '../../features/identity/preferences-section.tsx'
import { PersonalForm } from '../../features/profile/personal-form.tsx'
import { applyTheme } from '../../features/identity/theme.ts'
import { AppServicesProvider, type AppServices } from '../../shared/app-services.tsx'
import { FrameProvider } from '../../shared/frame.tsx'
import { activate, t } from '../../shared/i18n.ts'
import { createQueryClient } from '../../shared/queries.ts'
import { storeSoundSettingIn } from '../../shared/sound.ts'
import { OwnMenu } from './own-menu.tsx'

let root: Root
let systemIsLight = false

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.stubGlobal('matchMedia', () => ({
    matches: systemIsLight,
    addEventListener() {},
    removeEventListener() {},
  }))
  await activate('en')
})
afterEach(() => {
  act(() => root.unmount())
  document.body.replaceChildren()
  systemIsLight = false
  vi.unstubAllGlobals()
})

const user = {
  id: 1,
  role: 'guy',
  nick: 'Alex',
  about: '',
  email: 'alex@example.org',
  avatar: null,
}

const sent: unknown[] = []

/** Sections of the profile page with the own menu beside it, as on a desktop. */
async function openPage(theme?: 'system', part: object = {}): Promise<void> {
  const snapshot = { phase: 'ready', auth: { user: { ...user, ...part } } }
  const stored = persistence(memoryStore())
  if (theme) stored.set('theme', theme)
  const connection = {
    getSnapshot: () => snapshot,
    subscribe: () => () => {},
    on: () => () => {},
    system: async () => ({ features: { analytics: { on: false } } }),
    patchUser() {},
    act: async (_action: string, fields: unknown) => sent.push(fields),
  } as unknown as ClientConnection
  const services: AppServices = { connection, persistence: stored, report() {} }
  storeSoundSettingIn(stored)
  applyTheme(services)
  const page = document.createElement('div')
  document.body.append(page)
  root = createRoot(page)
  await act(async () =>
    root.render(
      <AppServicesProvider services={services}>
        <QueryClientProvider client={createQueryClient()}>
          <MemoryRouter>
            <FrameProvider header_end={null}>
              <PreferencesSection />
              <PersonalForm />
              <OwnMenu side="top" trigger={<button type="button">menu</button>} />
            </FrameProvider>
          </MemoryRouter>
        </QueryClientProvider>
      </AppServicesProvider>,
    ),
  )
}

const press = async (text: string) => {
  const found = [
    ...document.querySelectorAll<HTMLElement>(
      'button, [role=menuitem], [role=radio], [role=switch]',
    ),
  ].filter((element) => element.textContent === text || element.ariaLabel === text)
  expect(found, text).toHaveLength(1)
  await act(async () => found[0]!.click())
}
const menuTexts = () =>
  [...document.querySelectorAll('[role=menuitem]')].map((entry) => entry.textContent)

test('the own menu offers what the profile page has changed', async () => {
  await openPage()
  await press(t('theme.light'))
  await act(async () => document.querySelector<HTMLElement>('input[type=checkbox]')!.click())
  await press('menu')
  expect(menuTexts()).toContain(t('theme.to_dark'))
  expect(menuTexts()).toContain(t('sound.turn_on'))
  await press(t('theme.to_dark'))
  expect(document.documentElement.dataset.theme).toBe('dark')
})

test('with the theme of a light system the own menu offers the dark one', async () => {
  systemIsLight = true
  await openPage('system')
  await press('menu')
  expect(menuTexts()).toContain(t('theme.to_dark'))
})

test('a single language is not offered as a choice', async () => {
  await openPage()
  await press('menu')
  expect(document.body.textContent).not.toContain('Language')
})

test('the profile page offers to show a country that is known, and no other one', async () => {
  await openPage()
  expect(document.body.textContent).not.toContain(t('profile.show_country'))
  act(() => root.unmount())
  await openPage(undefined, { country: 'PT', show_country: false })
  expect(document.body.textContent).toContain('Portugal')
  await act(async () =>
    [...document.querySelectorAll<HTMLElement>('input[type=checkbox]')].at(-1)!.click(),
  )
  expect(sent.at(-1)).toEqual({ show_country: true })
})

test('the own menu says until when the user has Premium, and nothing without Premium', async () => {
  const premium = { is_premium: true, premium_until: '2026-12-24T12:00:00Z' }
  await openPage(undefined, premium)
  await press('menu')
  expect(document.body.textContent).toContain('Premium until Dec 24, 2026')
  act(() => root.unmount())
  await openPage(undefined, { ...premium, is_premium: false })
  await press('menu')
  expect(document.body.textContent).not.toContain('Premium until')
})
