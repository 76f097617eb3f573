import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { act, useImperativeHandle, type Ref } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { notifyManager, QueryClientProvider } from '@tanstack/react-query'
import { MemoryRouter } from 'react-router'
import { memoryStore, NoAnswerError, persistence, type ClientConnection } from '@duet/client'
import { AppServicesProvider, type AppServices } from '../../../shared/app-services.tsx'
import { dialogs } from '../../../shared/dialogs.ts'
import { activate, loadTexts, t } from '../../../shared/i18n.ts'
import { createQueryClient } from '../../../shared/queries.ts'
import { DialogList } from './dialog-list.tsx'

// Answers are shown in the same turn, not by a timer.
notifyManager.setScheduler((run) => run())
let viewportPx = 0
let scroll: ((offset: number) => void) | undefined
// The environment has no layout: the test names the sizes that the list has measured.
vi.mock('virtua', () => ({
  VList(props: { data: object[]; onScroll: (offset: number) => void; ref: Ref<object> }) {
    const { data, onScroll, ref } = props
    useImperativeHandle(ref, () => ({
      get viewportSize() {
        return viewportPx
      },
      scrollSize: data.length * 72,
    }))
    scroll = onScroll
    return null
  },
}))
let root: Root
let asked: { filter?: string; query?: string }[]
let started: object[]
/** The pages of favourites that cannot be fetched. */
let failing: Set<number>
let pages: object[][]

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  asked = []
  started = []
  failing = new Set()
  pages = []
  await activate('en')
  await loadTexts('messenger', 'favourites')
})
afterEach(() => {
  act(() => root.unmount())
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

/** A user without dialogs. The first `failures` answers fail. */
async function show(failures = 0, favourites: object[] = []): Promise<void> {
  let left = failures
  const snapshot = {
    phase: 'ready',
    auth: { user: { id: 1, role: 'men', email: 'leo@duet.example' } },
  }
  const connection = {
    getSnapshot: () => snapshot,
    subscribe: () => () => {},
    on: () => () => {},
    http: {
      get: async (_path: string, { page }: { page: number }) => {
        if (failing.has(page)) throw new NoAnswerError('favourites')
        return { items: favourites.slice(page - 1, page), page, next: page < favourites.length }
      },
    },
    act: async (action: string, fields: object) => {
      if (action === 'SUBSCRIBE' || action === 'UNSUBSCRIBE') return {}
      if (action === 'MESSENGER_START_DIALOG') {
        started.push(fields)
        return { dialog_id: 7 }
      }
      asked.push(fields)
      left -= 1
      if (left >= 0) throw new NoAnswerError('GET_DIALOGS')
      return { dialogs: pages.shift() ?? [] }
    },
  } as unknown as ClientConnection
  const services: AppServices = { connection, persistence: persistence(memoryStore()), report() {} }
  const queries = createQueryClient()
  // A second attempt follows at once.
  queries.getDefaultOptions().queries!.retryDelay = 0
  const page = document.createElement('div')
  document.body.append(page)
  root = createRoot(page)
  await act(async () =>
    root.render(
      <AppServicesProvider services={services}>
        <QueryClientProvider client={queries}>
          <MemoryRouter>
            <DialogList />
          </MemoryRouter>
        </QueryClientProvider>
      </AppServicesProvider>,
    ),
  )
}

const text = () => document.body.textContent
const press = (name: string) =>
  act(async () =>
    [...document.querySelectorAll('button')]
      .find(({ textContent }) => textContent === name)!
      .click(),
  )

test('each filter is asked for once and says what is missing', async () => {
  await show()
  expect(text()).toContain('Meet people by video.')
  await press('Unread')
  expect(text()).toContain('Everything is read')
  await press('Favourites')
  expect(text()).toContain('None of your favourites has written yet')
  await press('Unread')
  expect(asked.map(({ filter }) => filter)).toEqual(['all', 'unread', 'favourites'])
})

test('a list that could not be loaded says so and offers another attempt', async () => {
  await show(1)
  expect(document.querySelector('[role=alert]')?.textContent).toContain(
    'Your messages could not be loaded',
  )
  await press('Try again')
  expect(text()).toContain('Meet people by video.')
})

test('the end of the first page fetches the next page on a high window', async () => {
  pages.push(
    Array.from({ length: 50 }, (_, index) => ({
      dialog_id: index + 1,
      activity_id: 1000 - index,
      interlocutor: { id: index + 10, is_favorite: false },
    })),
  )
  await show()
  // The list measures its window after it has been shown.
  viewportPx = 720
  await act(async () => scroll!(50 * 72 - viewportPx))
  expect(asked).toHaveLength(2)
})

test('a search asks the server by the beginning of the name', async () => {
  await show()
  const field = document.querySelector('input')!
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(field, ' mi ')
    field.dispatchEvent(new Event('input', { bubbles: true }))
  })
  await vi.waitFor(() => expect(asked.at(-1)?.query).toBe('mi'))
  expect(text()).toContain(t('messenger.list.nobody_found'))
})

test('a name that is typed without a pause is searched once', async () => {
  await show()
  const before = asked.length
  const field = document.querySelector('input')!
  for (const value of ['m', 'mi', 'mir'])
    await act(async () => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(field, value)
      field.dispatchEvent(new Event('input', { bubbles: true }))
    })
  await vi.waitFor(() => expect(asked.length).toBeGreaterThan(before))
  expect(asked.slice(before).map(({ query }) => query)).toEqual(['mir'])
})

test('a guy without dialogs chooses a girl among his favourites', async () => {
  const mira = { id: 2, nick: 'Mira', role: 'girl', avatar: null, status: 'online' }
  await show(0, [mira])
  expect(text()).toContain('Choose a girl to write to')
  const row = document.querySelector<HTMLButtonElement>('button[aria-label="Write to Mira"]')!
  await act(async () => row.click())
  expect(started).toEqual([{ interlocutor_id: 2 }])
})

const rows = () =>
  [...document.querySelectorAll('button[aria-label^="Write to"]')].map((one) =>
    one.getAttribute('aria-label'),
  )

test('every page of the favourites can be reached, also after one that failed', async () => {
  const person = (id: number, nick: string) => ({
    id,
    favourite_id: 10 - id,
    nick,
    role: 'girl',
    avatar: null,
    status: 'online',
  })
  failing.add(2)
  await show(0, [person(2, 'Mira'), person(3, 'Nora')])
  expect(rows()).toEqual(['Write to Mira'])
  await press('Show more')
  await expect.poll(text).toContain('Your favourites could not be loaded')
  failing.clear()
  await press('Try again')
  expect(rows()).toEqual(['Write to Mira', 'Write to Nora'])
})

test('with dialogs a person is chosen by the button of the list', async () => {
  await show()
  await act(async () =>
    document.querySelector<HTMLButtonElement>('button[aria-label^="Choose a girl"]')!.click(),
  )
  const [question] = dialogs.getSnapshot()
  expect(question?.name).toBe('choose_person')
  await act(async () => dialogs.close(question!.key, { id: 5, nick: 'Ida' }))
  expect(started).toEqual([{ interlocutor_id: 5 }])
})
