import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { notifyManager, QueryClientProvider } from '@tanstack/react-query'
import { MemoryRouter, Route, Routes } from 'react-router'
import { memoryStore, persistence, RefusedError, type ClientConnection } from '@duet/client'
import type { Answer, Media } from '@duet/protocol'
import { AppServicesProvider, type AppServices } from '../../shared/app-services.tsx'
import { dialogs } from '../../shared/dialogs.ts'
import { activate, loadTexts, t } from '../../shared/i18n.ts'
import { samplePhoto } from '../../shared/media/sample-photo.ts'
import { changeAccount } from '../../shared/account/account-store.ts'
import { patchPerson } from '../../shared/people/people.ts'
import { createQueryClient } from '../../shared/queries.ts'
import { GirlPage } from './girl-page.tsx'

// Answers are shown in the same turn, not by a timer.
notifyManager.setScheduler((run) => run())

type Girl = Answer<'GET girl_info'>['girl']
const photo = (change: Partial<Media>) =>
  samplePhoto({ id: '1', url: '/media/1/full', like: 2, ...change })
const anna: Girl = {
  id: 7,
  ref_code: 'ANNA1',
  nick: 'Anna',
  role: 'girl',
  avatar: '/media/a/blur',
  age: 27,
  locale: 'pt',
  country: 'PT',
  is_premium: false,
  is_favorite: false,
  is_wanted: false,
  status: 'offline',
  sub_status: null,
  about: 'I like chess',
  last_visit: null,
  photos: [],
  videos: [],
  likes: 0,
  liked: false,
}
const guy = { id: 1, role: 'men', email: 'guy@example.org', age_confirmed: true }
const visitor = { id: 2, role: null, email: null, age_confirmed: false }

let root: Root
let viewer: object
let notifySnapshot: () => void
let reported: unknown[]
const calls: unknown[] = []
beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  await activate('en')
  await loadTexts('girl-page', 'favourites', 'notices', 'media')
  calls.length = 0
  reported = []
})
afterEach(() => {
  act(() => root.unmount())
  document.body.replaceChildren()
  dialogs.closeAll()
  changeAccount(undefined)
  vi.unstubAllGlobals()
})

const settled = () => act(() => new Promise<void>((resolve) => setTimeout(resolve)))

async function open(as: object, girlInfo: () => Promise<Partial<Girl>>): Promise<void> {
  viewer = as
  const listeners = new Set<() => void>()
  const connection = {
    getSnapshot: () => snapshot,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    on: () => () => {},
    ready: async () => {},
    http: {
      get: async () => ({ girl: { ...anna, ...(await girlInfo()) } }),
      post: async (path: string, body: object) => {
        calls.push([path, body])
        return path === 'gallery/media/like' ? { like: 3, liked: true } : {}
      },
    },
    act: async (name: string, data: object) => {
      calls.push([name, data])
      return name === 'SUBSCRIBE' ? { statuses: [] } : {}
    },
  } as unknown as ClientConnection
  const snapshotNow = () => ({ phase: 'ready', auth: { user: viewer } })
  let snapshot = snapshotNow()
  notifySnapshot = () => {
    snapshot = snapshotNow()
    act(() => listeners.forEach((listener) => listener()))
  }
  const services: AppServices = {
    connection,
    persistence: persistence(memoryStore()),
    report: (error) => reported.push(error),
  }
  const page = document.createElement('div')
  document.body.append(page)
  root = createRoot(page)
  const queries = createQueryClient()
  await act(async () => {
    root.render(
      <MemoryRouter initialEntries={['/girl/ANNA1']}>
        <QueryClientProvider client={queries}>
          <AppServicesProvider services={services}>
            <Routes>
              <Route path="/girl/:refCode" element={<GirlPage />} />
            </Routes>
          </AppServicesProvider>
        </QueryClientProvider>
      </MemoryRouter>,
    )
  })
  await settled()
}
const text = () => document.body.textContent
const button = (name: string) =>
  [...document.querySelectorAll('button')].find(
    (one) => (one.getAttribute('aria-label') ?? one.textContent) === name,
  )!
const press = async (name: string) => {
  await act(async () => button(name).click())
  await settled()
}
const called = (name: string) =>
  calls.filter((call) => (call as [string])[0] === name).map((call) => (call as [0, 1])[1])

test('the page shows her, follows her status and counts the view of a member once', async () => {
  await open(guy, async () => ({}))
  expect(document.querySelector('h1')!.textContent).toBe('Anna, 27')
  expect(text()).toContain('I like chess')
  expect(text()).toContain('Portugal')
  expect(text()).toContain(t('person.status.offline'))
  expect(called('SUBSCRIBE')).toEqual([{ user_ids: [7] }])
  expect(called('stat/show_girl')).toEqual([{ user_id: 7 }])
  act(() => patchPerson(7, { status: 'online', sub_status: 'free' }))
  expect(text()).toContain(t('person.status.online'))
  expect(called('stat/show_girl')).toHaveLength(1)
})

test('the portrait and a photo give their widths, a locked photo has one address', async () => {
  const widths = (name: string) => [
    { width: 120, url: `/media/${name}/small` },
    { width: 480, url: `/media/${name}/card` },
  ]
  await open(guy, async () => ({
    avatar: '/media/a/full',
    avatar_variants: widths('a'),
    photos: [
      photo({ id: '1', variants: widths('1') }),
      photo({ id: '2', url: '/media/2/blur', locked: true }),
    ],
  }))
  const pictures = [...document.querySelectorAll('img')]
  expect(pictures.map((one) => [one.getAttribute('src'), one.getAttribute('srcset')])).toEqual([
    ['/media/a/full', '/media/a/small 120w, /media/a/card 480w'],
    ['/media/1/full', '/media/1/small 120w, /media/1/card 480w'],
    ['/media/2/blur', null],
  ])
  expect(pictures.map((one) => one.hasAttribute('sizes'))).toEqual([true, true, false])
})

test('while she is offline the first action asks for a notice, and while she is here a call', async () => {
  await open(guy, async () => ({}))
  await press(t('want_girl.off'))
  expect(called('WANT_GIRL')).toEqual([{ user_id: 7, on: true }])
  act(() => patchPerson(7, { status: 'online' }))
  expect(button(t('want_girl.on'))).toBe(undefined)
  expect(text()).toContain(t('person.call_short'))
})

test('an action of a visitor opens the login and goes on after it', async () => {
  await open(visitor, async () => ({}))
  expect(called('stat/show_girl')).toEqual([])
  await press(t('favourite.add'))
  const [login] = dialogs.getSnapshot()
  expect([login!.name, called('ADD_FAVOURITE')]).toEqual(['login', []])
  viewer = guy
  notifySnapshot()
  dialogs.close(login!.key, true)
  await settled()
  expect(called('ADD_FAVOURITE')).toEqual([{ user_id: 7 }])
})

test('a visitor who registers gets the page again, as a member may see it', async () => {
  await open(visitor, async () => ({
    avatar: viewer === visitor ? '/media/a/blur' : '/media/a/full',
  }))
  const avatar = () => document.querySelector('img')!.getAttribute('src')
  expect([avatar(), text()]).toEqual(['/media/a/blur', expect.stringContaining('for visitors')])
  // The guest's record becomes a member's under the same id.
  viewer = { ...guy, id: visitor.id }
  notifySnapshot()
  await settled()
  expect(avatar()).toBe('/media/a/full')
  expect(text()).not.toContain('for visitors')
})

test('a login that is closed ends the action', async () => {
  await open(visitor, async () => ({}))
  await press(t('favourite.add'))
  dialogs.closeTop()
  await settled()
  expect(called('ADD_FAVOURITE')).toEqual([])
})

test('a favourite is removed only after a question', async () => {
  await open(guy, async () => ({ is_favorite: true }))
  await press(t('favourite.remove'))
  const [question] = dialogs.getSnapshot()
  expect([question!.name, called('REMOVE_FAVOURITE')]).toEqual(['remove_favourite', []])
  dialogs.close(question!.key, true)
  await settled()
  expect(called('REMOVE_FAVOURITE')).toEqual([{ user_id: 7 }])
  expect(button(t('favourite.add'))).toBeDefined()
})

test('an item for premium is locked and cannot be liked; a photo is liked in place', async () => {
  const locked = photo({ id: '2', locked: true, premium_only: true, url: '/media/2/blur' })
  await open(guy, async () => ({ photos: [photo({ title: 'Lake' }), locked] }))
  expect(button(t('girl.view_locked', { name: 'Item 2' }))).toBeDefined()
  const likes = [...document.querySelectorAll('button[aria-pressed]')].filter((one) =>
    one.getAttribute('aria-label')?.startsWith('Like'),
  )
  expect(likes).toHaveLength(1)
  await press(t('girl.like', { count: 2 }))
  expect(called('gallery/media/like')).toEqual([{ id: '1', like: true }])
  expect(button(t('girl.like', { count: 3 })).getAttribute('aria-pressed')).toBe('true')
})

test('her own page is a preview without actions of others and without what waits', async () => {
  const photos = [photo({ title: 'Lake' }), photo({ id: '3', title: 'Sea', status: 'pending' })]
  await open({ ...guy, id: 7, role: 'girl' }, async () => ({ photos }))
  expect(document.querySelector('a[href="/profile/"]')).not.toBe(null)
  expect(button(t('favourite.add'))).toBe(undefined)
  expect(button(t('word.more'))).toBe(undefined)
  expect(button(t('media.view', { name: 'Lake' }))).toBeDefined()
  expect(button(t('media.view', { name: 'Sea' }))).toBe(undefined)
  expect(called('stat/show_girl')).toEqual([])
})

test('a girl that the viewer may not see, and an unknown code, are the same sentence', async () => {
  await open(guy, async () => {
    throw new RefusedError('GET girl_info', 'not_found')
  })
  expect(document.querySelector('h1')!.textContent).toBe(t('girl.unknown'))
  expect(document.querySelector('a[href="/"]')).not.toBe(null)
})

test('a page that could not be loaded is loaded at the next try', async () => {
  let isBroken = true
  await open(guy, async () => {
    // Not repeated by itself, unlike a lost connection.
    if (isBroken) throw new RefusedError('GET girl_info', 'too_many')
    return {}
  })
  expect(document.querySelector('[role=alert]')!.textContent).toContain(t('girl.failed'))
  isBroken = false
  await press(t('action.retry'))
  expect(document.querySelector('h1')!.textContent).toBe('Anna, 27')
})
