import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { QueryClientProvider } from '@tanstack/react-query'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../../shared/queries.ts'
import { AppServicesProvider, type AppServices } from '../../shared/app-services.tsx'
import { activate, loadTexts } from '../../shared/i18n.ts'
import type { Store } from '../../shared/observable-store.ts'
import { RunningCallView } from './call-host.tsx'
import { fixtureVideo } from './fixtures/create-fixture.ts'
import { fixtures, type FixtureName } from './fixtures/fixture-states.ts'
import { VideoProvider, type Video } from './video-context.tsx'
import { VideoScreens } from './video-home.tsx'
import { screenOf, type VideoScreen } from './video-screen.ts'

const NOW_MS = Date.parse('2026-11-21T20:00:00Z')
const FIXTURES = fixtures('/her.avif', '/his.avif', NOW_MS)

const CONNECTION = { phase: 'ready' }

const newStream = () =>
  Object.assign(new MediaStream(), { getVideoTracks: () => [{ getSettings: () => ({}) }] })

/** Showing every scene is a lot of work for a busy machine. */
const MANY_SCENES = { timeout: 60_000 }

let root: Root
let video: Video
/** Every video element that was ever in the document. */
let seen: Set<HTMLVideoElement>
let observer: MutationObserver

beforeAll(async () => {
  await activate('en')
  await loadTexts('calls', 'devices', 'matchmaking')
})
beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.useFakeTimers({ now: NOW_MS })
  vi.stubGlobal(
    'OffscreenCanvas',
    class {
      getContext() {
        return null
      }
    },
  )
  HTMLMediaElement.prototype.play = async () => {}
  document.body.replaceChildren(document.createElement('div'))
  root = createRoot(document.body.firstElementChild!)
  seen = new Set()
  observer = new MutationObserver(noteVideos)
  observer.observe(document, { childList: true, subtree: true })
  await showPage()
})
afterEach(async () => {
  observer.disconnect()
  await act(async () => root.unmount())
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function noteVideos(): void {
  for (const element of document.querySelectorAll('video')) seen.add(element)
}

async function showPage(parts: Partial<Parameters<typeof fixtureVideo>[0]> = {}): Promise<void> {
  video = fixtureVideo({
    fixture: FIXTURES.idle,
    preview: newStream() as MediaStream,
    remote: newStream() as MediaStream,
    ...parts,
  })
  const services = {
    connection: {
      subscribe: () => () => {},
      getSnapshot: () => CONNECTION,
      http: { get: () => new Promise(() => {}) },
      on: () => () => {},
      act: async () => ({}),
      system: () => new Promise(() => {}),
    },
    persistence: { get: () => undefined, set() {} },
    report() {},
  } as unknown as AppServices
  await act(async () =>
    root.render(
      <AppServicesProvider services={services}>
        <QueryClientProvider client={createQueryClient()}>
          <VideoProvider video={video}>
            <VideoScreens />
            <RunningCallView isCallPage onReturn={() => {}} />
          </VideoProvider>
        </QueryClientProvider>
      </AppServicesProvider>,
    ),
  )
  noteVideos()
}

async function show(name: FixtureName): Promise<void> {
  const { state, gate } = FIXTURES[name]
  await act(async () => {
    for (const key of ['me', 'matchmaking', 'calls'] as const)
      (video[key] as Store<unknown>).set(state[key])
    ;(video.screen as Store<VideoScreen>).set(screenOf(state, gate))
  })
  noteVideos()
}

const ownPictures = () => [...document.querySelectorAll<HTMLVideoElement>('[data-own-picture]')]

test('one element shows the own picture from the start to the receipt', MANY_SCENES, async () => {
  const [own] = ownPictures()
  for (const name of ['searching', 'offered', 'connecting', 'paid', 'left', 'searching'] as const) {
    await show(name)
    expect(ownPictures().length, name).toBe(1)
    expect(ownPictures()[0] === own, name).toBe(true)
    expect(own!.srcObject, name).not.toBeNull()
  }
})

test('no video element that left the document keeps a stream', MANY_SCENES, async () => {
  const names = Object.keys(FIXTURES) as FixtureName[]
  for (const name of names) await show(name)
  await act(async () => root.render(null))
  const removed = [...seen].filter((element) => !element.isConnected)
  expect(removed.map(({ srcObject }) => srcObject).filter(Boolean)).toEqual([])
  expect(seen.size).toBeGreaterThan(1)
})

const GLASS_MAX = 4

test.each([
  ['desktop', false],
  ['phone', true],
])('on a %s no scene has more than four surfaces of glass', MANY_SCENES, async (_, isPhone) => {
  vi.stubGlobal('matchMedia', () => ({
    matches: isPhone,
    addEventListener() {},
    removeEventListener() {},
  }))
  await act(async () => root.render(null))
  await showPage({
    engine: { weak: true, playback_blocked: true },
    media: { camera: 'lost', microphone: 'off' },
  })
  const glass: Record<string, number> = {}
  for (const name of Object.keys(FIXTURES) as FixtureName[]) {
    await show(name)
    glass[name] = document.querySelectorAll('.glass').length
  }
  expect(Object.entries(glass).filter(([, count]) => count > GLASS_MAX)).toEqual([])
  expect(glass.ask).toBeGreaterThan(0)
})

test.each([
  ['slow', 'Taking longer than usual'],
  ['not_connected', "We couldn't connect you"],
  ['refused', 'This page could not enter the call'],
] as const)('the wait for a partner says why it lasts: %s', async (trouble, sentence) => {
  await act(async () => root.render(null))
  await showPage({ engine: { trouble, phase: 'negotiating' } })
  await show('connecting')
  expect(document.body.textContent).toContain(sentence)
})

test('a call that the server took from this page says so', async () => {
  await act(async () => root.render(null))
  await showPage({ engine: { trouble: 'refused', phase: 'ended' } })
  await show('paid')
  expect(document.body.textContent).toContain('This page is no longer in the call')
})

test('a camera that delivers nothing is named on the screen of the call', async () => {
  await act(async () => root.render(null))
  await showPage({ media: { camera: 'stalled' } })
  await show('paid')
  expect(document.body.textContent).toContain('Your camera sends no picture')
})

test('a call that is left without an answer offers the way out and the way back', async () => {
  await show('leaving')
  expect(document.querySelectorAll('main button')).toHaveLength(1)
  await show('leaving_stuck')
  const buttons = [...document.querySelectorAll('main button')].map(
    ({ textContent }) => textContent,
  )
  expect(buttons).toEqual(['Try again', 'Go on without waiting', 'Back to Sofia'])
})
