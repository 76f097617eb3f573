import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { QueryClientProvider } from '@tanstack/react-query'
import type { SearchAdvice } from '@duet/protocol'
import { BrowserRouter } from 'react-router'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient, SYSTEM_KEY } from '../../shared/queries.ts'
import { AppServicesProvider, type AppServices } from '../../shared/app-services.tsx'
import { dialogs } from '../../shared/dialogs.ts'
import { activate, loadTexts, t } from '../../shared/i18n.ts'
import type { Store } from '../../shared/observable-store.ts'
import { RunningCallView } from './call-host.tsx'
import { fixtureVideo } from '../../../dev/video/create-fixture.ts'
import type { RunningCall } from '../../features/calls/calls-state.ts'
import { callChoices, changeCallChoices } from '../../shared/video/call-choices.ts'
import { fixtures, type FixtureName } from '../../../dev/video/fixture-states.ts'
import { VideoProvider, type Video } from './video-context.tsx'
import { VideoScreens } from './video-home.tsx'
import { chooseScreen, type VideoScreen } from './video-screen.ts'

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
  await loadTexts('matchmaking', 'calls', 'devices', 'translation')
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

async function showPage(
  parts: Partial<Parameters<typeof fixtureVideo>[0]> = {},
  { isDemo = true, advice = [] as readonly SearchAdvice[] } = {},
): Promise<void> {
  const queries = createQueryClient()
  const off = { on: false }
  queries.setQueryData(SYSTEM_KEY, {
    features: { messenger: off, translation: off, payments: off },
    ...(isDemo && { demo: { cast: [] } }),
  })
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
      http: {
        get: async (call: string) =>
          call === 'search/advice' ? { advice } : new Promise(() => {}),
      },
      on: () => () => {},
      act: async () => ({}),
      system: () => new Promise(() => {}),
    },
    persistence: { get: () => undefined, set() {} },
    report() {},
  } as unknown as AppServices
  await act(async () =>
    root.render(
      <BrowserRouter>
        <AppServicesProvider services={services}>
          <QueryClientProvider client={queries}>
            <VideoProvider video={video}>
              <VideoScreens />
              <RunningCallView isCallPage onReturn={() => {}} />
            </VideoProvider>
          </QueryClientProvider>
        </AppServicesProvider>
      </BrowserRouter>,
    ),
  )
  noteVideos()
}

async function show(name: FixtureName): Promise<void> {
  const { state, gate } = FIXTURES[name]
  await act(async () => {
    for (const key of ['me', 'matchmaking', 'calls'] as const)
      (video[key] as Store<unknown>).set(state[key])
    ;(video.screen as Store<VideoScreen>).set(chooseScreen(state, gate))
  })
  noteVideos()
}

function setPartnerMedia(change: Partial<RunningCall['partner_media']> | undefined): void {
  const screen = video.screen as Store<VideoScreen>
  const before = screen.getSnapshot()
  if (before.name !== 'in_call') throw new Error('the fixture has a call')
  const { call } = before
  screen.set({
    ...before,
    call: { ...call, partner_media: { ...call.partner_media, ...change } },
  })
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

test.each([
  ['the receipt', 'left', 'Sofia'],
  ['the break', 'break', 'Alex'],
  ['the search after a call', 'searching_her', 'Alex'],
] as const)('%s has the ways to reach the other user', MANY_SCENES, async (_, name, nick) => {
  await show(name)
  await vi.waitUntil(async () => {
    await act(async () => vi.advanceTimersByTimeAsync(20))
    return document.querySelector(`[aria-label="Like ${nick}"]`) !== null
  }, MANY_SCENES)
  expect(document.querySelector(`[aria-label="Write to ${nick}"]`)).not.toBeNull()
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
  [true, undefined, 'Your connection is weak', 'Wi-Fi'],
  [false, true, "Sofia's connection is weak", 'A smaller picture helps Sofia'],
  [true, true, 'The line between you is weak', 'Less data helps on both sides'],
] as const)(
  'a poor line says whose side it is and what helps: own %s, partner %s',
  async (weak, partnerWeak, word, help) => {
    await act(async () => root.render(null))
    await showPage({ engine: { weak } })
    await show('paid')
    await act(async () => setPartnerMedia(partnerWeak && { weak: partnerWeak }))
    const sign = [...document.querySelectorAll('button')].find((one) => one.textContent === word)!
    expect(sign.querySelector('[role=status]')!.textContent).toBe(word)
    await act(async () => sign.click())
    expect(document.body.textContent).toContain(help)
    const less = [...document.querySelectorAll('button')].find(
      (one) => one.textContent === 'Use less data',
    )!
    await act(async () => less.click())
    expect(callChoices.getSnapshot().data_mode).toBe('reduced')
    expect(document.body.textContent).toContain('uses less data now')
    await act(async () => changeCallChoices({ data_mode: 'full' }))
  },
)

test.each([
  ['lost', 'Your camera was lost', 'Another app may be using it'],
  ['refused', 'Your camera was lost', "Allow it in your browser's settings"],
  ['stalled', 'Your camera sends no picture', 'Another app may be using it'],
  ['paused', 'Another app holds your camera', 'Another app may be using it'],
] as const)('the notice of a camera that is %s offers every camera', async (camera, word, help) => {
  await act(async () => root.render(null))
  await showPage({ media: { camera } })
  await show('paid')
  const find = (name: string) =>
    [...document.querySelectorAll('button')].find(({ textContent }) => textContent === name)!
  await act(async () => find(word).click())
  expect(document.body.textContent).toContain(help)
  const chosen = vi.spyOn(video.gate, 'chooseDevice')
  await act(async () => find('Back camera').click())
  expect(chosen).toHaveBeenCalledWith('camera', 'back')
})

test('the notice of a lost microphone says when there is no other', async () => {
  await act(async () => root.render(null))
  await showPage({ media: { microphone: 'lost', microphones: [] } })
  await show('paid')
  const sign = [...document.querySelectorAll('button')].find(
    ({ textContent }) => textContent === 'Your microphone was lost',
  )!
  await act(async () => sign.click())
  expect(document.body.textContent).toContain('Plug one in')
})

test('a good line shows no sign', async () => {
  await show('paid')
  expect(document.body.textContent).not.toContain('weak')
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

/** Changes the running call, as events of the server do. */
const changeCall = (part: Partial<RunningCall>) =>
  act(async () => {
    const calls = video.calls.getSnapshot()
    ;(video.calls as Store<unknown>).set({ ...calls, call: { ...calls.call!, ...part } })
    const { screen } = video
    ;(screen as Store<unknown>).set({
      ...screen.getSnapshot(),
      call: video.calls.getSnapshot().call,
    })
  })

const callNow = () => video.calls.getSnapshot().call!
const pass = (durationMs: number) => act(async () => vi.advanceTimersByTimeAsync(durationMs))

/** Notes the elements that are added to live regions, in their order: a screen reader reads these. */
function noteAnnouncements(): string[] {
  const told: string[] = []
  const note = new MutationObserver((records) => {
    for (const { addedNodes, target } of records) {
      const region = (target as Element).closest('[role="status"], [role="alert"], [role="log"]')
      if (!region || region.getAttribute('aria-live') === 'off') continue
      for (const node of addedNodes) told.push(node.textContent ?? '')
    }
  })
  note.observe(document, { childList: true, subtree: true })
  return told
}

const partnerText = (text_id: number, text: string) => ({
  id: String(text_id),
  text_id,
  sender_id: 2,
  text,
  state: 'sent' as const,
  at_ms: NOW_MS,
})

const liveText = () =>
  [...document.querySelectorAll('[role="status"], [role="alert"]')]
    .map((region) => {
      const copy = region.cloneNode(true) as Element
      for (const hidden of copy.querySelectorAll('[aria-hidden]')) hidden.remove()
      return copy.textContent
    })
    .join('|')

test.each(['low', 'gone', 'ask', 'asked'] as const)(
  'no live region counts seconds: %s',
  async (name) => {
    await show(name)
    const first = liveText()
    await pass(2_000)
    expect(liveText()).toBe(first)
  },
)

test('a low balance hides no other announcement', async () => {
  await show('low')
  const told = noteAnnouncements()
  await changeCall({ session: { ...callNow().session, state: 'private' } })
  await changeCall({ texts: [partnerText(9, 'Hello')] })
  expect(told).toEqual(['The call is private now', 'Sofia: Hello'])
})

test('a text of the partner is announced once, and the same text again is announced again', async () => {
  await show('paid')
  const told = noteAnnouncements()
  const before = callNow().texts
  await changeCall({ texts: [...before, partnerText(8, 'Hi')] })
  await changeCall({ texts: [...before, partnerText(8, 'Hi'), partnerText(9, 'Hi')] })
  expect(told).toEqual(['Sofia: Hi', 'Sofia: Hi'])
})

test('several changes at once are all announced', async () => {
  await show('paid')
  const told = noteAnnouncements()
  await changeCall({
    ask: { price: '1.5', expires_at_ms: NOW_MS + 15_000, lasts_ms: 15_000 },
    texts: [...callNow().texts, partnerText(8, 'One'), partnerText(9, 'Two')],
  })
  expect(told).toEqual(['Sofia asks to go private', 'Sofia: One', 'Sofia: Two'])
})

test('the last minute is announced once, also when the balance is corrected by a second', async () => {
  await show('paid')
  const told = noteAnnouncements()
  const meter = callNow().meter!
  await changeCall({ meter: { ...meter, balance: '1' } })
  await pass(1_000)
  await changeCall({ meter: { ...meter, balance: '1.05' } })
  await pass(6_000)
  expect(told).toEqual(['1 minute left'])
})

test('a control keeps its name; pressing it changes its state only', async () => {
  const named = () =>
    document.querySelector('button[aria-label="Mute the microphone"]')?.getAttribute('aria-pressed')
  await show('paid')
  expect(named()).toBe('false')
  await act(async () => root.render(null))
  await showPage({ media: { microphone: 'off' } })
  await show('paid')
  expect(named()).toBe('true')
})

test('the controls of a call have one place in the tab order, and arrow keys move between them', async () => {
  await show('paid')
  const toolbar = document.querySelector('[role="toolbar"]')!
  const buttons = [...toolbar.querySelectorAll('button')]
  expect(buttons.filter(({ tabIndex }) => tabIndex === 0)).toHaveLength(1)
  await act(async () => buttons[0]!.focus())
  await act(async () =>
    buttons[0]!.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true, cancelable: true }),
    ),
  )
  await pass(50)
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Turn the camera off')
  expect(toolbar.getAttribute('aria-label')).not.toBe(
    document.querySelector('main')?.getAttribute('aria-label'),
  )
})

test('a new call takes the focus to its heading', async () => {
  await show('searching')
  await show('paid')
  expect(document.activeElement?.tagName).toBe('H1')
  expect(document.activeElement?.textContent).toContain('Sofia')
})

test('the heading of the wait hands the focus on to the heading of the call', async () => {
  await show('searching')
  await show('connecting')
  await show('paid')
  expect(document.activeElement?.tagName).toBe('H1')
})

test('controls that have the focus of the keyboard do not fade', async () => {
  await show('paid')
  const isQuiet = () => document.querySelector('[data-quiet]') !== null
  await pass(5_000)
  expect(isQuiet()).toBe(true)
  const end = document.querySelector<HTMLElement>('[aria-label="Hide the chat"]')!
  await act(async () => end.focus())
  await pass(10_000)
  expect(isQuiet()).toBe(false)
  await act(async () => end.blur())
  await pass(5_000)
  expect(isQuiet()).toBe(true)
})

test('the log of texts is rendered when a text changes, not while the partner writes', async () => {
  await show('paid')
  await changeCall({ typing_until_ms: NOW_MS + 3_000 })
  expect(document.body.textContent).toContain('Sofia is writing')
  const bubble = document.querySelector('[role="log"]')!.firstElementChild!
  const key = Object.keys(bubble).find((name) => name.startsWith('__reactProps'))!
  const before = (bubble as unknown as Record<string, unknown>)[key]
  await pass(4_000)
  expect((bubble as unknown as Record<string, unknown>)[key]).toBe(before)
  expect(document.body.textContent).not.toContain('Sofia is writing')
})

/** Changes the own record, as UPDATE_PROFILE does. */
const changeMe = (part: object) =>
  act(async () => (video.me as Store<unknown>).set({ ...video.me.getSnapshot(), ...part }))

test('an offer to a guy without minutes names the price, and neither 0 diamonds nor 0 seconds', async () => {
  await show('offered')
  expect(document.body.textContent).toContain('You have 128')
  await changeMe({ balance: '0' })
  const { textContent } = document.body
  expect(textContent).toContain('First 10 seconds free')
  expect(textContent).not.toMatch(/You have|about 0/)
})

test('a call without free seconds does not begin as a free one', async () => {
  await show('free')
  const session = { ...callNow().session, free_seconds: 0, quota_seconds: 0 }
  await changeCall({ meter: null, session })
  const pill = document.querySelector('[data-meter]')!
  expect(pill.textContent).not.toContain('Free')
  expect(pill.textContent).toContain('0:00')
})

test('a girl may be connected without the card too', async () => {
  await show('studio')
  expect(document.querySelector('[role="switch"]')).not.toBeNull()
})

test('the tag New is absent unless the server delivers it', async () => {
  await show('offered')
  const tags = () => [...document.querySelectorAll('main *')].map(({ textContent }) => textContent)
  expect(tags()).not.toContain('New')
})

test('the composer counts characters as the server does, not the units of an emoji', async () => {
  await show('paid')
  const input = document.querySelector<HTMLInputElement>('[data-composer]')!
  const write = (text: string) =>
    act(async () => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(input, text)
      input.dispatchEvent(new Event('input', { bubbles: true }))
    })
  expect(input.maxLength).toBe(-1)
  await write('😀'.repeat(1000))
  expect([...input.value]).toHaveLength(1000)
  await write('😀'.repeat(1001))
  expect([...input.value]).toHaveLength(1000)
})

test('a low balance opens the dialog with the minutes that are left', async () => {
  await show('low')
  const button = [...document.querySelectorAll('button')].find(
    ({ textContent }) => textContent === 'Add minutes',
  )!
  await act(async () => button.click())
  expect(dialogs.getSnapshot()[0]?.input).toMatchObject({ has_minutes: true })
})

test('where minutes cannot be added, no screen offers them', async () => {
  await act(async () => root.render(null))
  await showPage({}, { isDemo: false })
  for (const name of ['low', 'no_balance'] as const) {
    await show(name)
    expect(document.body.textContent, name).not.toMatch(/add/i)
  }
})

test('the partner is described in the call as on the card', async () => {
  await show('paid')
  expect(document.querySelector('aside')!.textContent).toContain('Ceramics teacher')
})

test('the notices of a low balance and of a lost connection do not lie on each other', async () => {
  await show('low')
  expect(document.body.textContent).toContain('Add minutes')
  await act(async () => root.render(null))
  await showPage({ engine: { phase: 'reconnecting' } })
  await show('low')
  expect(document.body.textContent).toContain('Reconnecting')
  expect(document.body.textContent).not.toContain('Add minutes')
})

test.each([
  ['slow', 'Taking longer than usual. Nothing counts until you see each other.'],
  ['not_connected', 'The connection does not come back. Nothing counts until you see each other.'],
  [null, "You're not being charged."],
] as const)(
  'coming back to a call with the trouble %s says why it lasts',
  async (trouble, text) => {
    await act(async () => root.unmount())
    root = createRoot(document.body.firstElementChild!)
    await showPage({ engine: { phase: 'negotiating', trouble, picture: 'none' } })
    const { state } = FIXTURES.connecting
    const call = state.calls.call!
    const session = { ...call.session, connected_at: new Date(NOW_MS - 60_000).toISOString() }
    const resumed = { ...state, calls: { ...state.calls, call: { ...call, session } } }
    await act(async () => {
      for (const key of ['me', 'matchmaking', 'calls'] as const)
        (video[key] as Store<unknown>).set(resumed[key])
      ;(video.screen as Store<VideoScreen>).set(chooseScreen(resumed, null))
    })
    expect(document.querySelector('[role=status]')!.textContent).toContain(text)
  },
)

test('a girl whose photo is missing or checked finds the way to it in the place of Start', async () => {
  for (const [name, label] of [
    ['studio_photo', 'matching.studio.photo_start'],
    ['studio_photo_checked', 'matching.studio.photo_look'],
  ] as const) {
    await show(name)
    const link = [...document.querySelectorAll('a')].find(
      ({ textContent }) => textContent === t(label),
    )
    expect(link?.getAttribute('href'), name).toBe('/profile/#avatar')
    expect(document.body.textContent, name).not.toContain(t('matching.studio.start'))
  }
})

test('a girl who waits for some seconds reads which of her own limits keep guests away', async () => {
  const advice = [
    { kind: 'countries', count: 2 },
    { kind: 'premium', count: 1 },
  ] as const
  await showPage({}, { advice })
  await show('searching_her')
  await pass(10_000)
  // The answer is shown in the next turn.
  await pass(10_000)
  expect(document.body.textContent).toContain("you don't meet, because you hide from countries")
  // Nothing is sold here.
  expect(document.body.textContent).not.toContain('Premium')
})
