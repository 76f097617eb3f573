import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { notifyManager, QueryClientProvider } from '@tanstack/react-query'
import { memoryStore, persistence, type ClientConnection } from '@duet/client'
import type { Dialog, Media, Message } from '@duet/protocol'
import { AppServicesProvider, type AppServices } from '../../../shared/app-services.tsx'
import { dialogs } from '../../../shared/dialogs.ts'
import { samplePhoto } from '../../../shared/media/sample-photo.ts'
import { activate, loadTexts } from '../../../shared/i18n.ts'
import { unsentWork } from '../../../shared/navigation/unsent.ts'
import { createQueryClient } from '../../../shared/queries.ts'
import { mountToasts } from '../../../shared/toasts.ts'
import { getSummary } from '../list/last-line.tsx'
import { useStore, type createStore } from '../../../shared/observable-store.ts'
import { messengerRuntime } from '../state/messenger-runtime.ts'
import type { MessengerState } from '../state/messenger-state.ts'
import { useMessenger } from '../use-messenger.ts'
import { MessageRow } from '../thread/message-row.tsx'
import { PhotoButton } from './photo-button.tsx'
import { SendPhotosDialog } from './send-photos-dialog.tsx'
import { useDroppedPhotos } from './use-dropped-photos.ts'
import { DropArea } from './drop-area.tsx'
import { UploadRow } from './upload-row.tsx'

// Answers are shown in the same turn, not by a timer.
notifyManager.setScheduler((run) => run())
const MEDIA_ID = '0b6f1c1e-3d61-4e0c-9a0f-1d5b6f4e8a11'
const OWN = 1
let root: Root
let services: AppServices
let sent: object[]
let addressFails: boolean
let hasShop: boolean
/** The uploads that wait for their answer. */
let uploads: {
  idempotency_key: string
  progress: (share: number) => void
  answer: (media: Media) => void
  lose: () => void
}[]

beforeEach(async () => {
  sent = []
  addressFails = false
  hasShop = false
  uploads = []
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener() {},
    removeEventListener() {},
  }))
  URL.createObjectURL = () => 'blob:photo'
  URL.revokeObjectURL = () => {}
  await activate('en')
  await loadTexts('messenger')
})
afterEach(() => {
  act(() => root.unmount())
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

const picture = (change: Partial<Media> = {}) =>
  samplePhoto({ id: MEDIA_ID, url: '/media/x/full?signature=1', ...change })

function message(change: Partial<Message>): Message {
  return {
    message_id: 3,
    dialog_id: 7,
    sender_id: 2,
    type: 'image',
    message: '',
    read_status: 1,
    create_time: '2026-11-21T19:58:00Z',
    ...change,
  }
}

async function show(content: React.ReactNode, user: object = {}): Promise<void> {
  const snapshot = {
    phase: 'ready',
    auth: { user: { id: OWN, role: 'girl', age_confirmed: true, ...user } },
  }
  const connection = {
    getSnapshot: () => snapshot,
    ready: async () => {},
    subscribe: () => () => {},
    on: () => () => {},
    act: (action: string, fields: object) => {
      if (action === 'MESSAGE') sent.push(fields)
      return new Promise(() => {})
    },
    system: async () => ({
      features: { payments: { on: hasShop }, translation: { on: false } },
    }),
    http: {
      get: async () => ({}),
      post: (
        path: string,
        _: object,
        extra: { onProgress?: (share: number) => void; idempotency_key?: string },
      ) => {
        if (path === 'media/urls' && addressFails) return Promise.reject(new Error('no answer'))
        if (path === 'media/urls')
          return Promise.resolve({ urls: [{ id: MEDIA_ID, url: '/media/x/full?fresh' }] })
        const { promise, resolve, reject } = Promise.withResolvers<{ media: Media }>()
        uploads.push({
          idempotency_key: extra.idempotency_key!,
          progress: extra.onProgress!,
          answer: (media) => resolve({ media }),
          lose: () => reject(new Error('no answer')),
        })
        return promise
      },
    },
  } as unknown as ClientConnection
  services = { connection, persistence: persistence(memoryStore()), report() {} }
  const page = document.createElement('div')
  document.body.append(page)
  root = createRoot(page)
  await act(async () =>
    root.render(
      <AppServicesProvider services={services}>
        <QueryClientProvider client={createQueryClient()}>{content}</QueryClientProvider>
      </AppServicesProvider>,
    ),
  )
}

const row = (change: Partial<Message>, isOwn = false) => (
  <MessageRow message={message(change)} is_own={isOwn} is_tail />
)
const text = () => document.body.textContent
const button = (name: string) =>
  [...document.querySelectorAll('button')].find((one) =>
    (one.getAttribute('aria-label') ?? one.textContent).endsWith(name),
  )!
const press = (name: string) => act(async () => button(name).click())

/** Chooses a photo. Null leaves the question without an answer. */
async function choose(
  { name = 'beach.jpg', type = 'image/jpeg' } = {},
  answer: true | undefined | null = true,
): Promise<void> {
  const input = document.querySelector<HTMLInputElement>('input[type=file]')!
  const files = [new File(['photo'], name, { type })]
  Object.defineProperty(input, 'files', { value: files, configurable: true })
  // A real field empties its list. The value of the test's field is not a file.
  Object.defineProperty(input, 'value', { set() {}, get: () => '', configurable: true })
  await act(async () => void input.dispatchEvent(new Event('change', { bubbles: true })))
  const question = dialogs.getSnapshot().at(-1)
  if (question && answer !== null) await act(async () => dialogs.close(question.key, answer))
}

/** The photos on their way, as a thread shows them. */
function Uploads() {
  return useStore(useMessenger().uploads).map((one) => <UploadRow key={one.key} upload={one} />)
}

function DropTarget({ refusal }: { refusal?: string }) {
  const target = { dialog_id: 7, nick: 'Mira', credits: 0 }
  const { handlers, over } = useDroppedPhotos(target, refusal)
  return (
    <div id="target" {...handlers}>
      {over ? <DropArea {...over} /> : null}
    </div>
  )
}

/** A file is moved over the dialog, or dropped there. */
async function drags(type: 'dragover' | 'drop', files: readonly File[]): Promise<void> {
  const event = new Event(type, { bubbles: true, cancelable: true })
  Object.defineProperty(event, 'dataTransfer', { value: { files, types: ['Files'] } })
  await act(async () => void document.querySelector('#target')!.dispatchEvent(event))
  expect(event.defaultPrevented).toBe(true)
}

const area = () => document.querySelector('[data-drop-area]')

/** Whether the page took the paste from the browser. */
async function pastes(files: readonly File[], types: readonly string[]): Promise<boolean> {
  const event = new Event('paste', { bubbles: true, cancelable: true })
  Object.defineProperty(event, 'clipboardData', { value: { files, types } })
  await act(async () => void document.querySelector('#target')!.dispatchEvent(event))
  return event.defaultPrevented
}

const thread = (
  <>
    <Uploads />
    <PhotoButton dialog_id={7} nick="Mira" credits={1} />
  </>
)

test('a photo keeps its place while it loads, and is shown over the whole screen at a press', async () => {
  await show(row({ media: picture() }))
  const image = document.querySelector('img')!
  expect(image.alt).toBe('Photo')
  expect(image.parentElement!.style.aspectRatio).toBe('600 / 400')
  await press('Open the photo')
  expect(document.querySelectorAll('img')).toHaveLength(2)
  await press('Close')
})

test('a photo that waits for staff is explained to its receiver and shown to its sender', async () => {
  await show(row({ media: picture({ url: null, status: 'pending' }) }))
  expect(text()).toContain('This photo is being checked')
  expect(document.querySelector('img')).toBeNull()
  await act(async () => root.unmount())
  await show(row({ media: picture({ status: 'pending' }) }, true))
  expect(document.querySelector('img')!.alt).toBe('Your photo')
  expect(text()).toContain('Being checked')
})

test('under an own photo that is checked stands that it earns nothing, while an answer would', async () => {
  const waiting = { sender_id: OWN, media: picture({ status: 'pending' }) }
  await show(row(waiting, true))
  expect(text()).not.toContain('coins')
  const { update } = messengerRuntime(services).state as ReturnType<
    typeof createStore<MessengerState>
  >
  const can_write = { allowed: true, cost: 'none', reward: '25' }
  const dialog = { dialog_id: 7, can_write } as Dialog
  await act(async () =>
    update((state) => ({ ...state, own_id: OWN, dialogs: new Map([[7, dialog]]) })),
  )
  expect(text()).toContain('No coins for this photo')
  expect(text()).toContain('still earns 25')
})

test('while a file is over the dialog the drop area is shown, and a drop asks before it sends', async () => {
  await show(<DropTarget />)
  const photo = new File(['x'], 'x.png', { type: 'image/png' })
  expect(area()).toBeNull()
  await drags('dragover', [])
  expect(area()!.textContent).toBe('Drop photos here to send them to Mira')
  await act(async () => void area()!.dispatchEvent(new Event('dragleave', { bubbles: true })))
  expect(area()).toBeNull()
  await drags('dragover', [])
  await act(async () => void dispatchEvent(new Event('pointermove')))
  expect(area()).toBeNull()
  await drags('dragover', [])
  await drags('drop', [photo])
  expect(area()).toBeNull()
  expect(dialogs.getSnapshot()).toMatchObject([{ name: 'send_photos', input: { photos: [photo] } }])
  await act(async () => dialogs.closeAll())
})

test('a drop that is refused says why: nothing can be written, no Premium, no photo', async () => {
  const told: string[] = []
  const unmount = mountToasts(({ title }) => void told.push(String(title)))
  const photo = new File(['x'], 'x.png', { type: 'image/png' })
  await show(<DropTarget refusal="You can't write to Mira" />)
  await drags('dragover', [])
  expect(area()!.textContent).toBe("You can't write to Mira")
  await drags('drop', [photo])
  await act(async () => root.unmount())
  for (const isSold of [true, false]) {
    hasShop = isSold
    await show(<DropTarget />, { role: 'men', is_premium: false })
    await drags('drop', [photo])
    await act(async () => root.unmount())
  }
  await show(<DropTarget />)
  await drags('drop', [new File(['x'], 'x.pdf', { type: 'application/pdf' })])
  expect(told).toEqual([
    "You can't write to Mira",
    'Photos need Premium',
    "You can't send photos here",
    'Only photos can be sent here',
  ])
  expect(dialogs.getSnapshot()).toEqual([])
  unmount()
})

test('where Premium cannot be bought, a guy without Premium sees no button for photos', async () => {
  const guy = { role: 'men', is_premium: false }
  await show(thread, guy)
  expect(document.querySelectorAll('button')).toHaveLength(0)
  await act(async () => root.unmount())
  hasShop = true
  await show(thread, guy)
  expect(button('Photos need Premium')).toBeDefined()
})

test('without a confirmed age a photo is locked, with it the address is asked for', async () => {
  const locked = picture({ url: null, locked: true })
  await show(row({ media: locked }), { age_confirmed: false })
  expect(button('Confirm your age')).toBeDefined()
  expect(document.querySelector('img')).toBeNull()
  await act(async () => root.unmount())
  await show(row({ media: locked }))
  expect(document.querySelector('img')!.getAttribute('src')).toBe('/media/x/full?fresh')
})

test('the address of an unlocked photo that could not be fetched is asked for again at a press', async () => {
  addressFails = true
  await show(row({ media: picture({ url: null, locked: true }) }))
  expect(text()).toContain('This photo could not be loaded')
  expect(button('Confirm your age')).toBeUndefined()
  addressFails = false
  await press('Try again')
  expect(document.querySelector('img')!.getAttribute('src')).toBe('/media/x/full?fresh')
})

test('a photo that does not load says so and is tried again', async () => {
  await show(row({ media: picture() }))
  await act(async () => void document.querySelector('img')!.dispatchEvent(new Event('error')))
  expect(text()).toContain('This photo could not be loaded')
  await press('Try again')
  expect(document.querySelector('img')).not.toBeNull()
})

test('a chosen photo shows its progress and is sent as an image when it has arrived', async () => {
  await show(thread)
  await choose()
  await act(async () => uploads[0]!.progress(0.4))
  expect(document.querySelector('[role=progressbar]')!.getAttribute('aria-label')).toBe('40% sent')
  expect(unsentWork.getSnapshot().size).toBe(1)
  expect(sent).toEqual([])
  await act(async () => uploads[0]!.answer(picture()))
  expect(sent).toMatchObject([{ dialogId: 7, type: 'image', media_id: MEDIA_ID, message: '' }])
  expect(unsentWork.getSnapshot().size).toBe(0)
})

test('a photo is sent only after the question, which names its price', async () => {
  await show(thread)
  await choose({}, null)
  const [question] = dialogs.getSnapshot()
  expect(question).toMatchObject({ name: 'send_photos', input: { nick: 'Mira', credits: 1 } })
  expect(uploads).toEqual([])
  await act(async () => dialogs.close(question!.key))
  expect(uploads).toEqual([])
  const input = { photos: [new File(['a'], 'a.jpg'), new File(['b'], 'b.jpg')], nick: 'Mira' }
  await act(async () => root.unmount())
  await show(<SendPhotosDialog open close={() => {}} input={{ ...input, credits: 1 }} />)
  expect(text()).toContain('Send 2 photos to Mira?')
  expect(text()).toContain('They cost 2 messages')
  expect([...document.querySelectorAll('img')].map(({ alt }) => alt)).toEqual(['a.jpg', 'b.jpg'])
})

test('that too many photos wait already is told before the question', async () => {
  const told: string[] = []
  const unmount = mountToasts(({ title }) => void told.push(String(title)))
  await show(thread)
  await act(async () => {
    messengerRuntime(services).sendPhotos(
      7,
      Array.from({ length: 20 }, () => new File(['photo'], 'a.jpg', { type: 'image/jpeg' })),
    )
  })
  await choose({}, null)
  expect(dialogs.getSnapshot()).toEqual([])
  expect(told).toEqual(['Too many photos wait. Send more when these have arrived.'])
  unmount()
})

test('a file that is no photo is refused, and text that was copied with a picture stays text', async () => {
  const told: string[] = []
  const unmount = mountToasts(({ title }) => void told.push(String(title)))
  await show(<DropTarget />)
  const photo = new File(['x'], 'x.png', { type: 'image/png' })
  const paper = new File(['x'], 'x.pdf', { type: 'application/pdf' })
  expect(await pastes([photo], ['text/plain', 'Files'])).toBe(false)
  expect(dialogs.getSnapshot()).toEqual([])
  expect(await pastes([paper], ['Files'])).toBe(true)
  expect(told).toEqual(['Only photos can be sent here'])
  expect(await pastes([photo], ['Files'])).toBe(true)
  expect(dialogs.getSnapshot()).toHaveLength(1)
  await act(async () => dialogs.closeAll())
  unmount()
})

test('a photo whose answer is lost stays, and is tried again or deleted', async () => {
  await show(thread)
  await choose()
  await act(async () => uploads[0]!.lose())
  expect(document.querySelector('[role=alert]')!.textContent).toContain("didn't arrive")
  await press('Try again')
  expect(uploads).toHaveLength(2)
  // Under its own key: a photo that arrived without its answer is stored once.
  const [first, again] = uploads.map(({ idempotency_key }) => idempotency_key)
  expect(first).toMatch(/^[\da-f-]{36}$/)
  expect(again).toBe(first)
  await act(async () => uploads[1]!.lose())
  await press('Delete')
  expect(document.querySelector('[role=alert]')).toBeNull()
  expect(unsentWork.getSnapshot().size).toBe(0)
})

test('a guy without Premium is led to it by the photo button, and nothing is uploaded', async () => {
  hasShop = true
  const told: string[] = []
  const unmount = mountToasts(({ title }) => void told.push(String(title)))
  await show(thread, { role: 'men', is_premium: false })
  await press('Photos need Premium')
  expect(dialogs.getSnapshot()).toMatchObject([
    { name: 'not_balance', input: { place: 'premium' } },
  ])
  dialogs.closeAll()
  await choose()
  expect(uploads).toEqual([])
  expect(told).toEqual(['Photos need Premium'])
  unmount()
})

test('a gift shows its picture, who gave it and what it earned', async () => {
  const gift = { gift_id: 5, name: 'Peony', image: '/gifts/peony.svg', price: '5' }
  await show(row({ type: 'gift', gift, reward: '375' }))
  expect(text()).toContain('Gift: Peony')
  expect(text()).toContain('+375')
  expect(document.querySelector('img')!.getAttribute('src')).toBe('/gifts/peony.svg')
  expect(getSummary(message({ type: 'gift', gift }), false)).toBe('Gift: Peony')
  await act(async () => root.unmount())
  await show(row({ type: 'gift', gift }, true))
  expect(text()).toContain('You sent a gift: Peony')
})
