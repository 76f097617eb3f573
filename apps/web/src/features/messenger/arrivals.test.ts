import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Payload } from '@duet/protocol'
import { activate, loadTexts } from '../../shared/i18n.ts'
import type { FeatureContext } from '../../shared/feature.ts'
import { holdToasts, mountToasts, showToast } from '../../shared/toasts.ts'
import { announceArrival } from './arrivals.ts'

let unmount: () => void
let shown: unknown[]

beforeEach(async () => {
  await activate('en')
  await loadTexts('messenger')
  shown = []
  unmount = mountToasts(({ title }) => shown.push(title))
})
afterEach(() => {
  holdToasts(false)
  unmount()
})

const context = {
  connection: { getSnapshot: () => ({ auth: { user: { id: 1 } } }) },
} as unknown as FeatureContext

async function arrives(change: object = {}, nick = 'Mira'): Promise<void> {
  const message = {
    ...{ message_id: 3, dialog_id: 7, sender_id: 2, type: 'text', message: 'Hello' },
    ...{ read_status: 0, create_time: '2026-11-21T19:58:00Z' },
    ...change,
  }
  const dialog = { interlocutor: { id: 2, nick } }
  announceArrival({ message, dialog } as unknown as Payload<'messenger_message'>, context)
  await Promise.resolve()
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
