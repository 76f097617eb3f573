import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { QueryClientProvider } from '@tanstack/react-query'
import { MemoryRouter } from 'react-router'
import type { ClientConnection } from '@duet/client'
import type { Favourite, UserInterlocutor } from '@duet/protocol'
import { AppServicesProvider, type AppServices } from '../../app-services.tsx'
import { activate, loadTexts } from '../../i18n.ts'
import { createQueryClient } from '../../queries.ts'
import { changeAccount } from '../../account/account-store.ts'
import { storePeople } from '../people.ts'
import { PersonCard } from './person-card.tsx'

const anna: UserInterlocutor = {
  id: 7,
  ref_code: 'ANNA1',
  nick: 'Anna',
  role: 'girl',
  avatar: '/media/a/full',
  locale: 'pt',
  is_premium: false,
  is_favorite: true,
  status: 'online',
  sub_status: null,
}
const variants = [
  { width: 120, url: '/media/a/small' },
  { width: 480, url: '/media/a/card' },
]
const snapshot = { phase: 'ready', auth: { user: { id: 1, role: 'men' } } }
const connection = { getSnapshot: () => snapshot, subscribe: () => () => {}, on: () => () => {} }
const services = {
  connection: connection as unknown as ClientConnection,
  report() {},
} as unknown as AppServices
let root: Root

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  await activate('en')
  await loadTexts('favourites')
  root = createRoot(document.body.appendChild(document.createElement('div')))
})
afterEach(() => {
  act(() => root.unmount())
  document.body.replaceChildren()
  changeAccount(undefined)
  vi.unstubAllGlobals()
})

async function shown(change: Partial<Favourite> = {}): Promise<(string | null)[]> {
  const favourite = { ...anna, avatar_variants: variants, ...change } as Favourite
  await act(async () =>
    root.render(
      <MemoryRouter>
        <AppServicesProvider services={services}>
          <QueryClientProvider client={createQueryClient()}>
            <PersonCard person={favourite} />
          </QueryClientProvider>
        </AppServicesProvider>
      </MemoryRouter>,
    ),
  )
  const image = document.querySelector('img')!
  return [image.getAttribute('src'), image.getAttribute('srcset')]
}

test('a card gives the widths of the avatar', async () => {
  expect(await shown()).toEqual(['/media/a/full', '/media/a/small 120w, /media/a/card 480w'])
})

test('a newer avatar that is blurred does not show the widths of the older one', async () => {
  storePeople([{ ...anna, avatar: '/media/b/blur' }])
  expect(await shown()).toEqual(['/media/b/blur', null])
})

test('on a phone the card has the first action, and the menu of the card has the others', async () => {
  vi.stubGlobal('matchMedia', () => ({
    matches: true,
    addEventListener() {},
    removeEventListener() {},
  }))
  await shown()
  const card = document.querySelector('li')!
  expect(
    [...card.querySelectorAll('button')].map((button) => button.getAttribute('aria-label')),
  ).toEqual(['Call Anna'])
  const press = new MouseEvent('contextmenu', { bubbles: true, cancelable: true })
  await act(async () => card.querySelector('a')!.dispatchEvent(press))
  expect(
    [...document.querySelectorAll('[role=menuitem]')].map((entry) => entry.textContent),
  ).toEqual(['Write to Anna', 'Remove from favourites'])
  // The lift of the finger is no press that closes the menu.
  const lift = new Event('touchend', { bubbles: true, cancelable: true })
  card.dispatchEvent(lift)
  expect(lift.defaultPrevented).toBe(true)
})

test('on a desktop the card has every action, and no menu replaces the menu of the link', async () => {
  await shown()
  expect(
    [...document.querySelectorAll('button')].map((button) => button.getAttribute('aria-label')),
  ).toEqual(['Call Anna', 'Write to Anna', 'Remove Anna from favourites'])
  const press = new MouseEvent('contextmenu', { bubbles: true, cancelable: true })
  document.querySelector('a')!.dispatchEvent(press)
  expect(press.defaultPrevented).toBe(false)
})

test.each([
  ['girl', 'Write to Anna'],
  ['men', 'Remove Anna from favourites'],
] as const)(
  'a narrow phone has room for two actions of a %s, and the menu has the third',
  async (role, third) => {
    snapshot.auth.user.role = role === 'girl' ? 'men' : 'girl'
    await shown({ role })
    snapshot.auth.user.role = 'men'
    const hidden = [...document.querySelectorAll('button')].filter(({ className }) =>
      className.includes('max-[389px]:hidden'),
    )
    expect(hidden.map((button) => button.getAttribute('aria-label'))).toEqual([third])
  },
)

test('a user of the same role has the heart alone', async () => {
  await shown({ role: 'men', ref_code: null })
  expect(
    [...document.querySelectorAll('button')].map((button) => button.getAttribute('aria-label')),
  ).toEqual(['Remove Anna from favourites'])
  expect(document.querySelector('a')).toBe(null)
})
