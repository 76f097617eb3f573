import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { act, type ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { notifyManager, QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import { NoAnswerError, type ClientConnection } from '@duet/client'
import type { Media } from '@duet/protocol'
import { AppServicesProvider, type AppServices } from '../../shared/app-services.tsx'
import { changeAccount } from '../../shared/account/account-store.ts'
import { activate, t, type TextId } from '../../shared/i18n.ts'
import { mayLeave } from '../../shared/navigation/leave-guard.ts'
import { dialogs } from '../../shared/dialogs.ts'
import { createQueryClient } from '../../shared/queries.ts'
import { mountToasts } from '../../shared/toasts.ts'
import { PhotosSection } from './gallery-section.tsx'

interface Request {
  readonly path: string
  readonly body: Record<string, unknown>
  readonly signal: AbortSignal | undefined
  readonly idempotency_key: string | undefined
  readonly answer: (data: unknown) => Promise<void>
  readonly fail: () => Promise<void>
}

// Answers are shown in the same turn, not by a timer.
notifyManager.setScheduler((run) => run())
let root: Root
let queries: QueryClient
let photos: Media[]
const requests: Request[] = []
const toasts: unknown[] = []
let snapshot: object
let unmountToasts: () => void

const photo = (id: string) =>
  ({ id, kind: 'photo', title: id, status: 'ready', url: `/${id}`, like: 0 }) as unknown as Media

const connection = {
  getSnapshot: () => snapshot,
  subscribe: () => () => {},
  http: {
    get: async () => ({ photos, videos: [] }),
    post: (
      path: string,
      body: Request['body'],
      options: { signal?: AbortSignal; idempotency_key?: string } = {},
    ) => {
      const { signal, idempotency_key } = options
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      const fail = () => act(async () => reject(new NoAnswerError(`POST ${path}`)))
      signal?.addEventListener('abort', () => reject(new NoAnswerError(`POST ${path}`)))
      const answer = (data: unknown) => act(async () => resolve(data))
      requests.push({ path, body, signal, idempotency_key, answer, fail })
      return promise
    },
  },
} as unknown as ClientConnection
const services = { connection, report() {} } as unknown as AppServices

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  URL.createObjectURL = () => 'blob:picture'
  URL.revokeObjectURL = () => {}
  await activate('en')
  photos = ['one', 'two', 'three'].map(photo)
  snapshot = { phase: 'ready', auth: { user: { role: 'girl', info: { is_verify: true } } } }
  requests.length = 0
  toasts.length = 0
  unmountToasts = mountToasts((content) => toasts.push(content.title))
  queries = createQueryClient()
  queries.setDefaultOptions({ queries: { retry: false } })
  const page = document.createElement('div')
  document.body.append(page)
  root = createRoot(page)
})
afterEach(async () => {
  await act(async () => changeAccount(undefined))
  act(() => root.unmount())
  unmountToasts()
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

const show = (screen: ReactNode) =>
  act(async () =>
    root.render(
      <QueryClientProvider client={queries}>
        <AppServicesProvider services={services}>{screen}</AppServicesProvider>
      </QueryClientProvider>,
    ),
  )
const labelled = (name: string) =>
  [...document.querySelectorAll('button')].find((one) => one.getAttribute('aria-label') === name)!
const press = (name: string) => act(async () => labelled(name).click())
const names = () => [...document.querySelectorAll('li img')].map((one) => one.getAttribute('src'))

async function chooseFiles(...files: string[]): Promise<void> {
  await chooseFilesIn('media.photos.add', files)
}

async function chooseFilesIn(label: TextId, files: readonly string[]): Promise<void> {
  const input = document.querySelector<HTMLInputElement>(`input[aria-label="${t(label)}"]`)!
  const chosen = files.map((name) => new File(['x'], name))
  Object.defineProperty(input, 'files', { value: chosen, configurable: true })
  await act(async () => {
    input.dispatchEvent(new Event('change', { bubbles: true }))
  })
}

test('a photo gives its widths, and without them its one address', async () => {
  const [one, two] = photos
  const variants = [
    { width: 120, url: '/one-small' },
    { width: 480, url: '/one-card' },
  ]
  photos = [{ ...one!, variants }, two!]
  await show(<PhotosSection />)
  const pictures = [...document.querySelectorAll('li img')]
  expect(pictures.map((picture) => picture.getAttribute('srcset'))).toEqual([
    '/one-small 120w, /one-card 480w',
    null,
  ])
  expect(names()).toEqual(['/one', '/two'])
})

test('an upload that fails after its section was left is told, and is there with its file on return', async () => {
  await show(<PhotosSection />)
  await chooseFiles('beach.jpg')
  await show(null)
  await requests[0]!.fail()
  expect(toasts).toEqual([t('media.upload.failed_photo')])
  await show(<PhotosSection />)
  expect(document.querySelector('[role=alert]')!.textContent).toBe(t('media.upload.unanswered'))
  await press(t('action.remove_named', { name: 'beach.jpg' }))
  expect(document.querySelector('[role=alert]')).toBeNull()
})

test('only a verified girl where an adult gallery exists may mark photos as adult', async () => {
  const labels = () =>
    [...document.querySelectorAll('input')].map((input) => input.getAttribute('aria-label'))
  const girl = { role: 'girl', shows_adult: false, info: { is_verify: true } }
  for (const [part, mayMark] of [
    [{}, true],
    [{ shows_adult: undefined }, false],
    [{ role: 'guy' }, false],
    [{ info: { is_verify: false } }, false],
  ] as const) {
    snapshot = { phase: 'ready', auth: { user: { ...girl, ...part } } }
    await show(<PhotosSection key={JSON.stringify(part)} />)
    expect(labels().includes(t('media.adult.add_photo')), JSON.stringify(part)).toBe(mayMark)
  }
})

test('an adult photo is sent with its mark and consent, after the girl agreed', async () => {
  const user = { role: 'girl', shows_adult: false, info: { is_verify: true } }
  snapshot = { phase: 'ready', auth: { user } }
  await show(<PhotosSection />)
  await chooseFilesIn('media.adult.add_photo', ['beach.jpg'])
  expect(requests).toHaveLength(0)
  const question = dialogs.getSnapshot().at(-1)!
  expect(question.name).toBe('adult_consent')
  await act(async () => dialogs.close(question.key, true))
  expect(requests[0]!.body).toEqual({ adult: true, consent: true })
  await requests[0]!.answer({ media: { ...photo('beach'), adult: true, status: 'pending' } })
  expect(document.body.textContent).toContain(t('media.adult.tag'))
})

test('an upload without an answer is sent again under its own key', async () => {
  await show(<PhotosSection />)
  await chooseFiles('beach.jpg', 'forest.jpg')
  await requests[0]!.fail()
  await requests[1]!.answer({ media: photo('forest') })
  const again = [...document.querySelectorAll('button')].find(
    ({ textContent }) => textContent === t('action.retry'),
  )!
  await act(async () => again.click())
  const keys = requests.map(({ idempotency_key }) => idempotency_key)
  expect(keys[0]).toMatch(/^[\da-f-]{36}$/)
  expect(keys[2]).toBe(keys[0])
  expect(keys[1]).not.toBe(keys[0])
})

test('an upload that succeeds after its section was left is in the gallery', async () => {
  await show(<PhotosSection />)
  await chooseFiles('beach.jpg')
  await show(null)
  photos = [...photos, photo('beach')]
  await requests[0]!.answer({ media: photo('beach') })
  await show(<PhotosSection />)
  expect(names()).toEqual(['/one', '/two', '/three', '/beach'])
  expect(toasts).toEqual([])
})

test('Cancel ends the upload and the next file is sent', async () => {
  await show(<PhotosSection />)
  await chooseFiles('beach.jpg', 'forest.jpg')
  expect(requests).toHaveLength(1)
  await press(t('media.upload.cancel_of', { name: 'beach.jpg' }))
  expect(requests[0]!.signal!.aborted).toBe(true)
  expect(requests).toHaveLength(2)
  expect(document.querySelector('[role=alert]')).toBeNull()
})

test('while a file is on its way a log-out and the closing of the tab ask first', async () => {
  await show(<PhotosSection />)
  const closes = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }))
  expect(closes()).toBe(false)
  await chooseFiles('beach.jpg')
  expect(closes()).toBe(true)
  const answer = mayLeave()
  expect(dialogs.getSnapshot().map(({ name }) => name)).toEqual(['leave_unsaved'])
  dialogs.close(dialogs.getSnapshot()[0]!.key)
  expect(await answer).toBe(false)
  await requests[0]!.answer({ media: photo('beach') })
  expect(closes()).toBe(false)
  expect(await mayLeave()).toBe(true)
})

test('files of one account are not sent to the next', async () => {
  await show(<PhotosSection />)
  await chooseFiles('beach.jpg', 'forest.jpg')
  await act(async () => changeAccount(2))
  expect(requests[0]!.signal!.aborted).toBe(true)
  expect(requests).toHaveLength(1)
  expect(document.body.textContent).not.toContain('beach.jpg')
})

test('the order on the screen holds until the last of two quick moves is stored', async () => {
  await show(<PhotosSection />)
  await press(t('media.move_later', { name: 'one' }))
  await press(t('media.move_later', { name: 'one' }))
  expect(names()).toEqual(['/two', '/three', '/one'])
  expect(document.body.textContent).toContain(t('media.moved', { number: 3, count: 3 }))
  photos = ['two', 'one', 'three'].map(photo)
  await requests[0]!.answer({})
  expect(names()).toEqual(['/two', '/three', '/one'])
  photos = ['two', 'three', 'one'].map(photo)
  await requests[1]!.answer({})
  expect(names()).toEqual(['/two', '/three', '/one'])
  expect(requests.map(({ body }) => body.position)).toEqual([1, 2])
})
