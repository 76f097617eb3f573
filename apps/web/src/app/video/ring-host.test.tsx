import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient, SYSTEM_KEY } from '../../shared/queries.ts'
import { AppServicesProvider, type AppServices } from '../../shared/app-services.tsx'
import { useKeys } from '../../shared/controls/use-keys.ts'
import { activate, loadTexts } from '../../shared/i18n.ts'
import { setPageTitle, setUnreadInTitle } from '../../shared/navigation/page-title.ts'
import { createStore } from '../../shared/observable-store.ts'
import { fixtureVideo } from '../../../dev/video/create-fixture.ts'
import { after, anna, events, girl, pair } from '../../../dev/video/events.ts'
import { useLeaveSearch } from './call-host.tsx'
import { RingHost } from './ring-host.tsx'
import { VideoProvider, type Video } from './video-context.tsx'
import type { VideoEvent, VideoState } from './video-state.ts'

const BORIS = { ...anna, id: 1, nick: 'Boris', role: 'men' as const }
const MAX = { ...BORIS, id: 3, nick: 'Max' }
const ring = events.pair(
  pair({
    kind: 'direct',
    role_in_call: 'callee',
    pair_id: 'r',
    state: 'private',
    user_interlocutor: BORIS,
    expires_in_ms: 30_000,
  } as never),
)
const auth = events.auth({}, girl)
const publicCall = events.session({ user_interlocutor: MAX })

let root: Root
let pressed: string[]
let router: ReturnType<typeof createMemoryRouter>
let set: (...all: VideoEvent[]) => Promise<void>
let left: number

beforeAll(async () => {
  await activate('en')
  await loadTexts('matchmaking', 'calls', 'favourites')
})
beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.useFakeTimers({ now: Date.parse('2026-11-21T20:00:00Z') })
  setPageTitle('Messages', 'Duet')
})
afterEach(async () => {
  await act(async () => root.unmount())
  document.body.replaceChildren()
  setUnreadInTitle(0)
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function Page({ video }: { video: Video }) {
  useKeys({ M: () => pressed.push('microphone') })
  useLeaveSearch({ ...video, leaveSearch: () => (left += 1) }, false)
  return (
    <>
      <textarea aria-label="Message" />
      <button type="button">End the call</button>
      <RingHost />
    </>
  )
}

async function showPage(...all: VideoEvent[]): Promise<void> {
  pressed = []
  left = 0
  const state = after(...all)
  const stream = () =>
    Object.assign(new MediaStream(), { getVideoTracks: () => [] }) as unknown as MediaStream
  const matchmaking = createStore(state.matchmaking)
  const calls = createStore(state.calls)
  const video: Video = {
    ...fixtureVideo({
      fixture: { state, gate: null } as never,
      preview: stream(),
      remote: stream(),
    }),
    matchmaking,
    calls,
    searchCommands: new Proxy(
      {},
      { get: (_, name) => async () => void pressed.push(String(name)) },
    ) as never,
  }
  const show = (next: VideoState) => {
    matchmaking.set(next.matchmaking)
    calls.set(next.calls)
  }
  set = (...next) => act(async () => show(after(...next)))
  const services = {
    connection: { subscribe: () => () => {}, getSnapshot: () => ({ phase: 'ready' }), http: {} },
    persistence: { get: () => undefined, set() {} },
  } as unknown as AppServices
  const queries = createQueryClient()
  queries.setQueryData(SYSTEM_KEY, { features: { payments: { on: false } } })
  const page = (
    <AppServicesProvider services={services}>
      <QueryClientProvider client={queries}>
        <VideoProvider video={video}>
          <Page video={video} />
        </VideoProvider>
      </QueryClientProvider>
    </AppServicesProvider>
  )
  router = createMemoryRouter([{ path: '*', element: page }], { initialEntries: ['/messenger'] })
  const place = document.createElement('div')
  document.body.append(place)
  root = createRoot(place)
  await act(async () => root.render(<RouterProvider router={router} />))
  await pass(50)
}

const pass = (ms: number) => act(async () => vi.advanceTimersByTimeAsync(ms))
const dialog = () => document.querySelector('[role="alertdialog"]')

async function press(key: string, target: Element | null = document.activeElement): Promise<void> {
  await act(async () => {
    const event = { key, code: key === 'm' ? 'KeyM' : key, bubbles: true, cancelable: true }
    ;(target ?? document.body).dispatchEvent(new KeyboardEvent('keydown', event))
    ;(target ?? document.body).dispatchEvent(new KeyboardEvent('keyup', event))
  })
}

test('a ring puts the focus on its heading, and takes no key until a user who types has stopped', async () => {
  await showPage(auth)
  document.querySelector('textarea')!.focus()
  await set(auth, ring)
  await pass(300)
  expect(dialog()?.contains(document.activeElement)).toBe(true)
  expect(document.activeElement?.closest('button')).toBeNull()
  for (const key of ['Enter', ' ', 'a', 'Escape', 'Enter']) {
    await press(key)
    await pass(900)
  }
  expect(pressed).toEqual([])
  await pass(100)
  await press('Enter')
  expect(pressed).toEqual(['acceptRing'])
})

test('the Space that a user types does not press Accept', async () => {
  await showPage(auth, ring)
  const accept = [...dialog()!.querySelectorAll('button')].at(-1)!
  const space = new KeyboardEvent('keydown', { key: ' ', bubbles: true, cancelable: true })
  accept.dispatchEvent(space)
  expect(space.defaultPrevented).toBe(true)
})

test('a dialog that explains a refusal lies above the ring and keeps its Escape', async () => {
  await showPage(auth, ring)
  await pass(1000)
  expect(dialog()!.closest('.z-blocking')).toBeNull()
  const above = document.createElement('div')
  above.setAttribute('role', 'dialog')
  document.body.append(above)
  await press('Escape', above)
  expect(pressed).toEqual([])
  await press('Escape')
  expect(pressed).toEqual(['endRing'])
})

test('after Decline the ring is silent and takes no key, also before the server answers', async () => {
  await showPage(auth, ring)
  await pass(1000)
  await set(auth, ring, { type: 'ring_answered', pair_id: 'r', answer: 'end' })
  expect(document.title).toBe('Messages – Duet')
  await press('Enter', document.body)
  expect(pressed).toEqual([])
})

test('a ring during a call is a card: End and the keys of the call stay usable', async () => {
  await showPage(auth, publicCall, ring)
  await pass(1000)
  expect(dialog()).toBeNull()
  const end = document.querySelector('button')!
  expect(end.closest('[inert], [aria-hidden="true"]')).toBeNull()
  const card = document.querySelector('section')!
  expect(card.textContent).toContain('Boris is calling you')
  expect(card.textContent).toContain('this chat ends')
  await press('Escape', document.body)
  await press('m', document.body)
  expect(pressed).toEqual(['microphone'])
  await act(async () => [...card.querySelectorAll('button')].at(-1)!.click())
  expect(pressed).toEqual(['microphone', 'acceptRing'])
})

test('a direct call that opened before this bundle was loaded opens the page of calls', async () => {
  await showPage(auth, events.session({ kind: 'direct', user_interlocutor: BORIS }))
  expect(router.state.location.pathname).toBe('/')
})

test('a search that its user left during a ring ends with the ring', async () => {
  await showPage(auth, events.search('waiting'), ring)
  expect(left).toBe(0)
  await set(auth, events.search('waiting'), ring, events.pairClosed('r'))
  expect(left).toBe(1)
})

test('the title of a ring gives way to the name of the page, also if a message arrives meanwhile', async () => {
  await showPage(auth, ring)
  expect(document.title).toBe('Boris is calling you')
  setUnreadInTitle(2)
  expect(document.title).toBe('Boris is calling you')
  setUnreadInTitle(3)
  await set(auth)
  expect(document.title).toBe('(3) Messages – Duet')
})
