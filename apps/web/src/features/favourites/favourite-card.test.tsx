import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { QueryClientProvider } from '@tanstack/react-query'
import { MemoryRouter } from 'react-router'
import type { ClientConnection } from '@duet/client'
import type { Favourite, UserInterlocutor } from '@duet/protocol'
import { AppServicesProvider, type AppServices } from '../../shared/app-services.tsx'
import { activate, loadTexts } from '../../shared/i18n.ts'
import { createQueryClient } from '../../shared/queries.ts'
import { changeAccount } from '../../shared/account/account-store.ts'
import { storePeople } from '../../shared/people/people.ts'
import { FavouriteCard } from './favourite-card.tsx'
import { navigation } from './navigation.ts'

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

async function shown(): Promise<(string | null)[]> {
  const favourite = { ...anna, avatar_variants: variants } as Favourite
  await act(async () =>
    root.render(
      <MemoryRouter>
        <AppServicesProvider services={services}>
          <QueryClientProvider client={createQueryClient()}>
            <FavouriteCard favourite={favourite} />
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

test('the page of favourites has an entry for users of both roles', () => {
  expect(navigation.map(({ to, role }) => [to, role])).toEqual([['/favorites/', undefined]])
})
