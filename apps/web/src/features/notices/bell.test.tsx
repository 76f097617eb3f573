import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { act, type ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { notifyManager, QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import { MemoryRouter } from 'react-router'
import { memoryStore, persistence, type ClientConnection } from '@duet/client'
import type { Answer, Notice, UserInterlocutor } from '@duet/protocol'
import { changeAccount } from '../../shared/account/account-store.ts'
import { AppServicesProvider, type AppServices } from '../../shared/app-services.tsx'
import { activate, t } from '../../shared/i18n.ts'
import { createQueryClient } from '../../shared/queries.ts'
import { WantGirlButton } from '../girl-page/girl-actions.tsx'
import { pageItems } from '../../shared/controls/use-pages.ts'
import { addToBell, markReadInBell, type BellPages } from './bell-pages.ts'
import { BellList } from './bell-list.tsx'
import { useBell } from './use-bell.ts'

// Answers are shown in the same turn, not by a timer.
notifyManager.setScheduler((run) => run())
let root: Root
let queries: QueryClient
beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  await activate('en')
  queries = createQueryClient()
  queries.setDefaultOptions({ queries: { retry: false } })
})
afterEach(() => {
  if (root) act(() => root.unmount())
  document.body.replaceChildren()
  changeAccount(undefined)
  vi.unstubAllGlobals()
})

const getNotice = (id: number, part: Partial<Notice> = {}): Notice => ({
  id,
  kind: 'security',
  create_time: new Date().toISOString(),
  read: false,
  facts: { what: 'password' },
  ...part,
})
const getUser = (nick: string, ref_code: string | null): UserInterlocutor => ({
  id: 7,
  ref_code,
  nick,
  role: ref_code === null ? 'men' : 'girl',
  avatar: null,
  locale: 'en',
  is_premium: false,
  is_favorite: false,
  status: 'online',
  sub_status: null,
})
const getPage = (items: Notice[], part: Partial<Answer<'GET notices'>> = {}) => ({
  items,
  page: 1,
  per_page: 20,
  total: null,
  next: false,
  unread: items.filter(({ read }) => !read).length,
  ...part,
})
const getBell = (...pages: ReturnType<typeof getPage>[]): BellPages => ({
  pages,
  pageParams: pages.map((_, index) => index + 1),
})

const posted: string[] = []
const acted: unknown[] = []
async function show(element: ReactNode, get: () => Promise<unknown> = async () => getPage([])) {
  const snapshot = {
    phase: 'ready',
    auth: { user: { id: 1, role: 'men', email: 'guy@example.org' } },
  }
  const connection = {
    getSnapshot: () => snapshot,
    system: async () => ({ features: { payments: { on: true } } }),
    subscribe: () => () => {},
    on: () => () => {},
    whenReady: async () => {},
    http: { get, post: async (path: string) => posted.push(path) },
    act: async (name: string, data: unknown) => {
      acted.push([name, data])
      return {}
    },
  } as unknown as ClientConnection
  const services: AppServices = { connection, persistence: persistence(memoryStore()), report() {} }
  const page = document.createElement('div')
  document.body.append(page)
  root = createRoot(page)
  await act(async () => {
    root.render(
      <MemoryRouter>
        <QueryClientProvider client={queries}>
          <AppServicesProvider services={services}>{element}</AppServicesProvider>
        </QueryClientProvider>
      </MemoryRouter>,
    )
    await new Promise((resolve) => setImmediate(resolve))
  })
}
function List() {
  const bell = useBell()
  return (
    <>
      <output>{bell.unread}</output>
      <button onClick={bell.markAllRead}>read</button>
      <BellList bell={bell} onLeave={async () => {}} />
    </>
  )
}
const text = () => document.body.textContent
const button = (name: string) =>
  [...document.querySelectorAll('button')].find((one) => one.textContent?.includes(name))!
const press = (name: string) =>
  act(async () => {
    button(name).click()
    await new Promise((resolve) => setImmediate(resolve))
  })

test('a new notice stands first and is counted once, and reading ends the count', () => {
  const bell = getBell(getPage([getNotice(2)]), getPage([getNotice(1, { read: true })]))
  const added = addToBell(addToBell(bell, getNotice(3)), getNotice(3))
  expect(pageItems(added).map(({ id }) => id)).toEqual([3, 2, 1])
  expect(added!.pages[0]!.unread).toBe(2)
  expect(markReadInBell(added, [3, 1])!.pages[0]!.unread).toBe(1)
  expect(pageItems(markReadInBell(added, null)).every(({ read }) => read)).toBe(true)
  expect(addToBell(undefined, getNotice(3))).toBe(undefined)
})

test('the bell lists who came online with a link to her page', async () => {
  const user = getUser('Anna', 'ABC')
  const anna = getNotice(5, { kind: 'wanted_girl_online', facts: {}, user })
  await show(<List />, async () => getPage([anna]))
  expect(text()).toContain('Anna is online now')
  expect(document.querySelector('a')!.getAttribute('href')).toBe('/girl/ABC')
})

test.each(['kept', 'liked'] as const)(
  'a notice %s offers a girl a like and a dialog',
  async (kind) => {
    acted.length = 0
    const user = getUser('Felix', null)
    await show(<List />, async () => getPage([getNotice(5, { kind, facts: {}, user })]))
    await press('Like')
    await press('Write')
    expect(acted).toEqual([
      ['LIKING_REACTION', { user_id: 7, like: true }],
      ['MESSENGER_START_DIALOG', { interlocutor_id: 7 }],
    ])
  },
)

test('the line of a guy who added her to his favourites opens the dialog with him', async () => {
  acted.length = 0
  const user = getUser('Felix', null)
  await show(<List />, async () => getPage([getNotice(5, { kind: 'kept', facts: {}, user })]))
  await act(async () => document.querySelector('a')!.click())
  expect(acted).toEqual([['MESSENGER_START_DIALOG', { interlocutor_id: 7 }]])
})

test('a missed call offers a call, a dialog, the favourites and a block', async () => {
  acted.length = 0
  const user = getUser('Anna', 'ABC')
  const missed = getNotice(5, { kind: 'missed_call', facts: {}, user })
  await show(<List />, async () => getPage([missed]))
  await press('Call')
  expect(acted).toEqual([['INVITE_TO_CHAT', { user_id: 7, random_id: expect.any(String) }]])
  expect(button('Write')).toBeDefined()
  const more = document.querySelector<HTMLButtonElement>(`[aria-label="${t('word.more')}"]`)
  await act(async () => {
    more!.click()
    await new Promise((resolve) => setImmediate(resolve))
  })
  const entries = [...document.querySelectorAll('[role=menuitem]')].map((one) => one.textContent)
  expect(entries).toEqual([t('favourite.add'), t('action.report'), t('action.block')])
})

test('an empty bell says what will be in it', async () => {
  await show(<List />)
  expect(text()).toContain(t('notices.empty'))
})

test('a bell that cannot be loaded offers another try', async () => {
  let isBroken = true
  await show(<List />, async () => {
    if (isBroken) throw new Error('no')
    return getPage([getNotice(1)])
  })
  expect(document.querySelector('[role=alert]')!.textContent).toContain(t('notices.failed'))
  isBroken = false
  await press(t('action.retry'))
  expect(text()).toContain('Your password was changed')
})

test('further notices are loaded on request', async () => {
  const pages = [getPage([getNotice(9)], { next: true }), getPage([getNotice(8)], { page: 2 })]
  await show(<List />, async () => pages.shift())
  await press(t('action.show_more'))
  expect(document.querySelectorAll('li')).toHaveLength(2)
  expect(button(t('action.show_more'))).toBe(undefined)
})

test('reading tells the server once and ends the count at once', async () => {
  posted.length = 0
  await show(<List />, async () => getPage([getNotice(1), getNotice(2)]))
  expect(document.querySelector('output')!.textContent).toBe('2')
  await press('read')
  await press('read')
  expect(document.querySelector('output')!.textContent).toBe('0')
  expect(posted).toEqual(['notices/read'])
})

test('a guy asks for a girl who is offline, and can end the wish', async () => {
  acted.length = 0
  await show(<WantGirlButton girl={{ id: 7, is_wanted: false }} />)
  expect(button(t('want_girl.off')).getAttribute('aria-pressed')).toBe('false')
  await press(t('want_girl.off'))
  expect(acted).toEqual([['WANT_GIRL', { user_id: 7, on: true }]])
})
