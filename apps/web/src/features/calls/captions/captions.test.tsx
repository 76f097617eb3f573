import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ClientConnection } from '@duet/client'
import { AppServicesProvider, type AppServices } from '../../../shared/app-services.tsx'
import { activate } from '../../../shared/i18n.ts'
import { getTranslations } from '../../../shared/texts/translation/translations.ts'
import { mountToasts } from '../../../shared/toasts.ts'
import { callChoices, changeCallChoices } from '../../../shared/video/call-choices.ts'
import { CallProvider, type CallScreenContext } from '../call-context.tsx'
import type { RunningCall } from '../calls-state.ts'
import { Captions } from './captions.tsx'

let availability: string
let installed: boolean | Promise<boolean>
let recognizers: FakeRecognizer[]

class FakeRecognizer extends EventTarget {
  static available = async () => availability
  static install = async () => installed
  lang = ''
  processLocally = false
  starts: unknown[] = []
  isAborted = false
  constructor() {
    super()
    recognizers.push(this)
  }
  start(track: unknown) {
    this.starts.push(track)
  }
  abort() {
    this.isAborted = true
  }
  hears(transcript: string, isFinal: boolean) {
    const results = [Object.assign([{ transcript }], { isFinal })]
    this.dispatchEvent(Object.assign(new Event('result'), { results }))
  }
  fails(error: string) {
    this.dispatchEvent(Object.assign(new Event('error'), { error }))
    this.dispatchEvent(new Event('end'))
  }
}

const track = { readyState: 'live' }
const snapshot = { phase: 'connected' }
const engine = {
  remote_stream: { getAudioTracks: () => [track] },
  subscribe: () => () => {},
  getSnapshot: () => snapshot,
}
const connection = {
  getSnapshot: () => ({}),
  subscribe: () => () => {},
} as unknown as ClientConnection
const callIn = (locale: string) => ({ session: { user_interlocutor: { locale } } }) as RunningCall
let root: Root

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.stubGlobal('SpeechRecognition', FakeRecognizer)
  vi.useFakeTimers()
  await activate('en')
  availability = 'available'
  installed = true
  recognizers = []
  changeCallChoices({ captions: true })
})
afterEach(() => {
  act(() => root.unmount())
  document.body.replaceChildren()
  changeCallChoices({ captions: false })
  getTranslations(connection).in_calls.set(false)
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

async function open(locale = 'pt'): Promise<void> {
  root = createRoot(document.body.appendChild(document.createElement('div')))
  await act(async () =>
    root.render(
      <AppServicesProvider services={{ connection } as AppServices}>
        <CallProvider context={{ engine } as unknown as CallScreenContext}>
          <Captions call={callIn(locale)} />
        </CallProvider>
      </AppServicesProvider>,
    ),
  )
}

const text = () => document.body.textContent

test('captions are off by default, and then nothing listens', async () => {
  changeCallChoices({ captions: false })
  await open()
  expect(recognizers).toEqual([])
})

test('the words of the partner are written on this device, marked as automatic, and fade', async () => {
  await open()
  const [recognizer] = recognizers
  expect(recognizer).toMatchObject({ lang: 'pt-BR', processLocally: true, starts: [track] })
  act(() => recognizer!.hears('Bom', false))
  act(() => recognizer!.hears('Bom dia', true))
  expect(text()).toBe('AutomaticBom dia')
  expect(document.querySelector('p')!.lang).toBe('pt')
  act(() => void vi.advanceTimersByTime(8_000))
  expect(text()).toBe('')
  act(() => root.unmount())
  expect(recognizer!.isAborted).toBe(true)
})

test('a recognizer that ends after a silence starts again, and one that only fails ends the captions', async () => {
  const shown = vi.fn()
  const unmountToasts = mountToasts(shown)
  await open()
  const recognizer = recognizers[0]!
  for (let times = 0; times < 8; times++) {
    act(() => recognizer.fails('no-speech'))
    act(() => void vi.advanceTimersByTime(500))
  }
  expect(recognizer.starts.length).toBe(9)
  for (let times = 0; times < 5; times++) {
    act(() => recognizer.fails('network'))
    act(() => void vi.advanceTimersByTime(500))
  }
  expect(recognizer.starts.length).toBe(13)
  unmountToasts()
  expect(shown.mock.calls[0]![0].title).toBe('This browser cannot write captions in Portuguese')
})

test('a browser that has not the language says so once, and writes the language of the next partner', async () => {
  const shown = vi.fn()
  const unmountToasts = mountToasts(shown)
  availability = 'unavailable'
  await open('uk')
  expect(recognizers).toEqual([])
  act(() => root.unmount())
  await open('uk')
  unmountToasts()
  expect(shown.mock.calls.map(([{ title }]) => title)).toEqual([
    'This browser cannot write captions in Ukrainian',
  ])
  act(() => root.unmount())
  expect(callChoices.getSnapshot().captions).toBe(true)
  availability = 'available'
  await open('pt')
  act(() => recognizers[0]!.hears('Bom dia', true))
  expect(text()).toBe('AutomaticBom dia')
})

test('while the browser fetches a language, the call says so', async () => {
  availability = 'downloadable'
  const { promise, resolve } = Promise.withResolvers<boolean>()
  installed = promise
  await open()
  expect(text()).toContain('Loading captions in Portuguese')
  await act(async () => resolve(true))
  expect(text()).toBe('')
  act(() => recognizers[0]!.hears('Bom', false))
  expect(text()).toBe('AutomaticBom')
})

interface Created {
  readonly monitor: (progress: EventTarget) => void
}

test('while the call shows texts translated, whole captions are translated by one translator on this device', async () => {
  const destroy = vi.fn()
  const create = vi.fn(async (_: Created) => ({
    translate: async (original: string) => `${original} in English`,
    destroy,
  }))
  vi.stubGlobal('Translator', { create })
  getTranslations(connection).in_calls.set(true)
  await open()
  await act(async () => recognizers[0]!.hears('Bom', false))
  expect(text()).toBe('AutomaticBom')
  await act(async () => recognizers[0]!.hears('Bom dia', true))
  expect(text()).toBe('AutomaticBom dia in English')
  await act(async () => recognizers[0]!.hears('Tudo bem', true))
  expect(text()).toBe('AutomaticTudo bem in English')
  expect(create).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ sourceLanguage: 'pt', targetLanguage: 'en' }),
  )
  act(() => root.unmount())
  await act(async () => {})
  expect(destroy).toHaveBeenCalledTimes(1)
})

test('a translator that cannot be opened or rejects a caption leaves the original, and is opened again at a press', async () => {
  const translate = vi.fn(async () => Promise.reject(new Error('no')))
  const create = vi.fn(async (_: Created) => ({ translate, destroy() {} }))
  vi.stubGlobal('Translator', { create })
  getTranslations(connection).in_calls.set(true)
  await open()
  for (const said of ['Bom dia', 'Tudo bem']) {
    await act(async () => recognizers[0]!.hears(said, true))
    expect(text()).toBe(`Automatic${said}`)
  }
  expect(translate).toHaveBeenCalledTimes(2)
  expect(create).toHaveBeenCalledTimes(1)
  act(() => root.unmount())
  create.mockRejectedValueOnce(new Error('not allowed'))
  await open()
  for (const said of ['Bom dia', 'Tudo bem']) {
    await act(async () => recognizers.at(-1)!.hears(said, true))
    expect(text()).toBe(`Automatic${said}`)
  }
  expect(create).toHaveBeenCalledTimes(2)
  await act(async () => dispatchEvent(new Event('pointerdown')))
  expect(create).toHaveBeenCalledTimes(3)
  await act(async () => dispatchEvent(new Event('pointerdown')))
  expect(create).toHaveBeenCalledTimes(3)
})

test('the call shows how much of the data for the translation is there', async () => {
  const { promise, resolve } = Promise.withResolvers<object>()
  const create = vi.fn((_: Created) => promise)
  vi.stubGlobal('Translator', { create })
  getTranslations(connection).in_calls.set(true)
  await open()
  const progress = new EventTarget()
  create.mock.calls[0]![0].monitor(progress)
  await act(async () =>
    progress.dispatchEvent(Object.assign(new Event('downloadprogress'), { loaded: 0.42 })),
  )
  expect(text()).toContain('from Portuguese: 42 %')
  await act(async () => resolve({ translate: async (said: string) => said, destroy() {} }))
  expect(text()).toBe('')
})
