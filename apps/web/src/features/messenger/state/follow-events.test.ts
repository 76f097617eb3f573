import { expect, test } from 'vitest'
import { memoryStore, persistence } from '@duet/client'
import type { AppServices } from '../../../shared/app-services.tsx'
import { messengerRuntime } from './messenger-runtime.ts'

/** A page with dialog 7, whose right to write the server decides at each request. */
function getPage(auth: { user: object; free_quota_messages: number }) {
  const listeners = new Map<string, ((payload: unknown) => void)[]>()
  let snapshot = { phase: 'ready', auth }
  let can_write = { allowed: true, cost: 'free' }
  let unread = 3
  const asked: string[] = []
  const connection = {
    getSnapshot: () => snapshot,
    subscribe: () => () => {},
    ready: () => new Promise(() => {}),
    on(name: string, listener: (payload: unknown) => void) {
      listeners.set(name, [...(listeners.get(name) ?? []), listener])
      return () => {}
    },
    async act(action: string) {
      asked.push(action)
      const dialog = {
        dialog_id: 7,
        activity_id: 1,
        interlocutor: { id: 2 },
        can_write,
        last_message: null,
        count_new_messages: unread,
      }
      if (action === 'GET_DIALOG_MESSAGES') return { messages: [] }
      return action === 'GET_DIALOGS' ? { dialogs: [dialog] } : { dialog }
    },
  }
  const services = { connection, persistence: persistence(memoryStore()), report() {} }
  const messenger = messengerRuntime(services as unknown as AppServices)
  return {
    messenger,
    asked,
    canWrite: () => messenger.state.getSnapshot().dialogs.get(7)?.can_write,
    decide: (next: typeof can_write) => void (can_write = next),
    unread: () => messenger.state.getSnapshot().dialogs.get(7)?.count_new_messages,
    /** Another page reads messages of the dialog. */
    readElsewhere(message_ids: number[], left: number) {
      unread = left
      const payload = { dialog_id: 7, message_ids, count_new_messages: left }
      for (const listener of listeners.get('messenger_read_message') ?? []) listener(payload)
    },
    become(change: object) {
      snapshot = { ...snapshot, auth: { ...snapshot.auth, ...change } }
      for (const listener of listeners.get('snapshot') ?? []) listener(snapshot)
    },
  }
}

const GUY = { id: 1, role: 'men', is_premium: false, balance_messages: 0 }
const NO_PREMIUM = { allowed: false, cost: 'none', code: 302 }

test.each([
  ['Premium ends', { user: GUY }],
  ['the free messages are used up', { free_quota_messages: 0 }],
  ['credits are bought', { user: { ...GUY, is_premium: true, balance_messages: 5 } }],
])('the right to write of an open dialog is fetched again when %s', async (_, change) => {
  const page = getPage({ user: { ...GUY, is_premium: true }, free_quota_messages: 3 })
  await page.messenger.openDialog(7)
  expect(page.canWrite()).toEqual({ allowed: true, cost: 'free' })
  page.decide(NO_PREMIUM)
  page.become(change)
  await expect.poll(page.canWrite).toEqual(NO_PREMIUM)
})

test('what does not decide the right to write fetches nothing', async () => {
  const page = getPage({ user: GUY, free_quota_messages: 3 })
  await page.messenger.openDialog(7)
  page.asked.length = 0
  page.become({ free_quota_messages: 2 })
  page.become({ user: { ...GUY, balance: '7' } })
  expect(page.asked).toEqual([])
})

test('a dialog of the list has the right to write of the moment in which it is opened', async () => {
  const page = getPage({ user: GUY, free_quota_messages: 3 })
  await page.messenger.loadDialogs('all', 'first')
  page.decide(NO_PREMIUM)
  await page.messenger.openDialog(7)
  await expect.poll(page.canWrite).toEqual(NO_PREMIUM)
})

test('messages that another page read are no longer counted, also without a fetched thread', async () => {
  const page = getPage({ user: GUY, free_quota_messages: 3 })
  await page.messenger.loadDialogs('all', 'first')
  expect(page.unread()).toBe(3)
  page.asked.length = 0
  page.readElsewhere([1], 2)
  page.readElsewhere([2, 3], 0)
  await expect.poll(page.unread).toBe(0)
  expect(page.asked).toEqual(['GET_DIALOG'])
})
