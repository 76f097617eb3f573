import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { notifyManager, QueryClientProvider } from '@tanstack/react-query'
import { MemoryRouter } from 'react-router'
import { memoryStore, persistence, RefusedError, type ClientConnection } from '@duet/client'
import type { AdultMedia } from '@duet/protocol'
import { AppServicesProvider, type AppServices } from '../../shared/app-services.tsx'
import { FrameProvider } from '../../shared/frame.tsx'
import { activate, loadTexts, t } from '../../shared/i18n.ts'
import { createQueryClient } from '../../shared/queries.ts'
import { AdultGallery } from './adult-gallery.tsx'

// Answers are shown in the same turn, not by a timer.
notifyManager.setScheduler((run) => run())
let root: Root
beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  await activate('en', ['app', 'landing', 'system'])
  await loadTexts('adult-gallery')
})
afterEach(() => {
  act(() => root.unmount())
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

const girl: AdultMedia['user_interlocutor'] = {
  id: 7,
  ref_code: 'ANNA1',
  nick: 'Anna',
  role: 'girl',
  avatar: null,
  locale: 'en',
  is_premium: false,
  is_favorite: false,
  status: 'offline',
  sub_status: null,
}
const item = (id: string, kind: 'photo' | 'video'): AdultMedia => ({
  id,
  kind,
  url: `/media/${id}/full`,
  width: 4,
  height: 5,
  premium_only: false,
  locked: false,
  adult: true,
  status: 'ready',
  like: 0,
  liked: false,
  position: 0,
  user_interlocutor: girl,
})
const open = { email: 'a@b.example', age_confirmed: true, is_premium: true, shows_adult: true }

const posted: unknown[] = []
async function show(user: object, items: readonly AdultMedia[] = []): Promise<void> {
  posted.length = 0
  const snapshot = { phase: 'ready', auth: { user } }
  const connection = {
    getSnapshot: () => snapshot,
    subscribe: () => () => {},
    http: {
      get: async () => ({ items, page: 1, per_page: 20, total: null, next: false }),
      post: async (...call: unknown[]) => {
        posted.push(call)
        throw new RefusedError('POST user_nsfw', 'age_unconfirmed')
      },
    },
  } as unknown as ClientConnection
  const services: AppServices = { connection, persistence: persistence(memoryStore()), report() {} }
  const page = document.createElement('div')
  document.body.append(page)
  root = createRoot(page)
  await act(async () => {
    root.render(
      <MemoryRouter>
        <QueryClientProvider client={createQueryClient()}>
          <AppServicesProvider services={services}>
            <FrameProvider header_end={null}>
              <AdultGallery />
            </FrameProvider>
          </AppServicesProvider>
        </QueryClientProvider>
      </MemoryRouter>,
    )
    await new Promise((resolve) => setTimeout(resolve))
  })
}
const text = () => document.body.textContent
const press = (index: number) =>
  act(async () => {
    document.querySelectorAll('button')[index]!.click()
    await new Promise((resolve) => setTimeout(resolve))
  })

test('an installation without an adult gallery has no such page, also for a viewer who passes every gate', async () => {
  await show({ ...open, shows_adult: undefined }, [item('1', 'photo')])
  expect(document.querySelector('h1')!.textContent).toBe(t('not_found.title'))
  expect(text()).not.toContain(t('adult.title'))
})

test.each([
  ['account', { email: null }],
  ['age', { age_confirmed: false, is_premium: false }],
  ['premium', { is_premium: false, shows_adult: false }],
  ['wish', { shows_adult: false }],
] as const)('the first gate that applies is shown, and no item: %s', async (gate, change) => {
  await show({ ...open, ...change }, [item('1', 'photo')])
  expect(text()).toContain(t(`adult.gate_${gate}_text`))
  expect(text()).not.toContain(t('adult.covered'))
})

test('the wish without a proof of age leads to the verification', async () => {
  await show({ ...open, shows_adult: false })
  await press(0)
  expect(posted).toEqual([['user_nsfw', { show: true }]])
  expect(document.querySelector('a[href="/verification/"]')).not.toBe(null)
})

test('who opened the gallery can switch it off again', async () => {
  await show(open, [item('1', 'photo')])
  await press(1)
  expect(posted).toEqual([['user_nsfw', { show: false }]])
})

test('a covered item loads nothing, and one item is uncovered at a time', async () => {
  await show(open, [item('1', 'photo'), item('2', 'photo'), item('3', 'video')])
  const sources = () =>
    [...document.querySelectorAll('img, video')].map((one) => one.getAttribute('src'))
  expect(sources()).toEqual([])
  await press(0)
  expect(sources()).toEqual(['/media/1/full'])
  await press(2)
  expect(sources()).toEqual(['/media/3/full'])
  expect(document.querySelector('video')!.hasAttribute('autoplay')).toBe(false)
  await press(1)
  await press(1)
  expect(sources()).toEqual([])
})
