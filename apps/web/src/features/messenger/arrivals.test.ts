import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Payload } from '@duet/protocol'
import type { ToastContent } from '@duet/ui'
import { activate, loadTexts } from '../../shared/i18n.ts'
import type { FeatureContext } from '../../shared/feature.ts'
import { mountGoTo } from '../../shared/navigation/go-to.ts'
import { holdToasts, mountToasts, showToast } from '../../shared/toasts.ts'
import { announceArrival, announceLike } from './arrivals.ts'

const sounds = vi.hoisted(() => [] as string[])
vi.mock('../../shared/sound.ts', () => ({ playSound: (name: string) => void sounds.push(name) }))
let unmount: () => void
let shown: unknown[]
let ids: unknown[]
let actions: (ToastContent['action'] | undefined)[]

beforeEach(async () => {
  await activate('en')
  await loadTexts('messenger')
  shown = []
  ids = []
  actions = []
  unmount = mountToasts(({ id, title, action }) => {
    ids.push(id)
    shown.push(title)
    actions.push(action)
  })
})
afterEach(() => {
  holdToasts(false)
  unmount()
  history.replaceState(null, '', '/')
})

const context = {
  connection: {
    getSnapshot: () => ({ auth: { user: { id: 1 } } }),
    async act(_action: string, { dialogId }: { dialogId: number }) {
      if (dialogId !== 8) throw new Error('no connection')
      return { dialog: { interlocutor: { id: 20, nick: 'Ada' } } }
    },
  },
} as unknown as FeatureContext

async function arrives(change: object = {}, nick = 'Mira'): Promise<void> {
  const message = {
    message_id: 3,
    dialog_id: 7,
    sender_id: 2,
    type: 'text',
    message: 'Hello',
    read_status: 0,
    create_time: '2026-11-21T19:58:00Z',
    ...change,
  }
  const dialog = { interlocutor: { id: 2, nick } }
  await announceArrival({ message, dialog } as unknown as Payload<'messenger_message'>, context)
}

test('a message is shown during a call, other notices wait for its end', async () => {
  holdToasts(true)
  showToast({ title: 'Added to favourites' })
  await arrives()
  await expect.poll(() => shown).toEqual(['Message from Mira'])
  holdToasts(false)
  expect(shown).toEqual(['Message from Mira', 'Added to favourites'])
})

test.each([
  ['an own message of another tab', { sender_id: 1 }],
  ['a like, which has its own notice', { type: 'like' }],
  ['a message that is already read', { read_status: 1 }],
])('no toast for %s', async (_, change) => {
  await arrives(change, 'Noor')
  await arrives({ message_id: 4 })
  await expect.poll(() => shown).toEqual(['Message from Mira'])
})

test.each([
  ['no', '/messenger/7', false],
  ['no', '/ar/messenger/7/', false],
  ['a', '/messenger/71', true],
  ['a', '/messenger/', true],
])('%s toast on the page %s of another or the same dialog', async (_, path, isToasted) => {
  history.replaceState(null, '', path)
  await arrives({}, 'Noor')
  history.replaceState(null, '', '/')
  await arrives({ message_id: 4 })
  const expected = isToasted ? ['Message from Noor', 'Message from Mira'] : ['Message from Mira']
  await expect.poll(() => shown).toEqual(expected)
})

test('the action of the toast opens the dialog, also during a call', async () => {
  const paths: string[] = []
  const unmountGoTo = mountGoTo((path) => void paths.push(path))
  holdToasts(true)
  await arrives()
  await expect.poll(() => actions[0]?.label).toBe('Open')
  actions[0]!.onPress()
  expect(paths).toEqual(['/messenger/7'])
  unmountGoTo()
})

test('a message of an older dialog names its sender, also on a page that was just loaded', async () => {
  for (const [sender_id, dialog_id] of [
    [20, 8],
    [30, 9],
  ]) {
    const message = { sender_id, dialog_id, type: 'text', message: 'Hello', read_status: 0 }
    await announceArrival({ message } as unknown as Payload<'messenger_message'>, context)
  }
  await expect.poll(() => shown).toEqual(['Message from Ada', 'New message'])
})

test('messages that arrive together have one sound and one toast', async () => {
  await new Promise((resolve) => setTimeout(resolve, 1000))
  sounds.length = 0
  const arriving = [7, 7, 8, 9].map((dialog_id, index) => arrives({ message_id: index, dialog_id }))
  await Promise.all(arriving)
  await expect.poll(() => shown).toEqual(['4 messages in 3 conversations'])
  expect(sounds).toEqual(['message'])
})

test('the notice of a like opens the dialog in which the user may write now', async () => {
  const opened: string[] = []
  const unmountGoTo = mountGoTo((path) => void opened.push(path))
  const connection = { act: async () => ({ dialog_id: 31 }) }
  const likes = { connection } as unknown as FeatureContext
  announceLike({ user_id: 2, nick: 'Mira', mutual: false }, likes)
  await expect.poll(() => shown).toEqual(['Mira likes you'])
  // The toast that says that the user cannot write yet has the same id.
  expect(ids).toEqual(['write-2'])
  actions[0]!.onPress()
  await expect.poll(() => opened).toEqual(['/messenger/31'])
  unmountGoTo()
})
