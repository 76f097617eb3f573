import { afterEach, expect, test } from 'vitest'
import { memoryStore, persistence, type Persistence } from '@duet/client'
import { changeAccount } from '../../../shared/account/account-store.ts'
import type { AppServices } from '../../../shared/app-services.tsx'
import { unsentCount } from '../unsent-count.ts'
import { messengerRuntime } from './messenger-runtime.ts'
import { sendAtLogin } from './send-at-login.ts'

afterEach(() => changeAccount(undefined))

const unsent = (random_id: string, user_id = 1) => ({
  random_id,
  user_id,
  dialog_id: 7,
  text: random_id,
  written_at: '2026-03-01T10:00:00Z',
})

/** A page of user 1. An offline page never becomes ready. */
function openPage(stored: Persistence, isOffline = false) {
  const sent: string[] = []
  const connection = {
    getSnapshot: () => ({ phase: 'ready', auth: { user: { id: 1 } } }),
    on: () => () => {},
    ready: () => (isOffline ? new Promise(() => {}) : Promise.resolve()),
    async act(_action: string, { random_id }: { random_id: string }) {
      sent.push(random_id)
      return { message_id: sent.length, message: '', create_time: '', can_write: {} }
    },
  }
  const services = { connection, persistence: stored, report: expect.unreachable }
  return { sent, services: services as unknown as AppServices }
}

const storedIds = (stored: Persistence) =>
  (stored.get('unsent_messages') ?? []).map(({ random_id }) => random_id)

test('a message of an earlier page is sent at the login, without the messenger on the screen', async () => {
  const stored = persistence(memoryStore())
  stored.set('unsent_messages', [unsent('a'), unsent('b', 2)])
  const { sent, services } = openPage(stored)
  sendAtLogin(services)
  await expect.poll(() => sent).toEqual(['a'])
  await expect.poll(() => storedIds(stored)).toEqual(['b'])
})

test('two pages without a connection store the messages of both', () => {
  const storage = memoryStore()
  const stored = persistence(storage)
  const pages = [openPage(persistence(storage), true), openPage(persistence(storage), true)]
  const [one, other] = pages.map(({ services }) => messengerRuntime(services))
  one!.send(7, 'from one')
  other!.send(7, 'from the other')
  expect(stored.get('unsent_messages')!.map(({ text }) => text)).toEqual([
    'from one',
    'from the other',
  ])
})

test('a login that the server ended takes no unsent message with it', () => {
  const stored = persistence(memoryStore())
  const runtime = messengerRuntime(openPage(stored, true).services)
  runtime.send(7, 'Hello')
  changeAccount(5)
  expect(storedIds(stored)).toHaveLength(1)
  changeAccount(1)
  expect(runtime.state.getSnapshot().unsent.map(({ text }) => text)).toEqual(['Hello'])
})

test('the page has one runtime, whichever object stands for its connection', () => {
  const stored = persistence(memoryStore())
  const { services } = openPage(stored, true)
  const { connection } = openPage(stored, true).services
  expect(messengerRuntime({ ...services, connection })).toBe(messengerRuntime(services))
})

test('the navigation counts the messages that wait, for their own account only', () => {
  const stored = persistence(memoryStore())
  messengerRuntime(openPage(stored, true).services).send(7, 'Hello')
  expect(unsentCount.getSnapshot()).toBe(1)
  changeAccount(5)
  expect(unsentCount.getSnapshot()).toBe(0)
  changeAccount(1)
  expect(unsentCount.getSnapshot()).toBe(1)
})
