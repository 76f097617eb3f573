import { expect, test } from 'vitest'
import type { Dialog, Message } from '@duet/protocol'
import { listDialogs, NO_WINDOW, withPage } from './dialogs.ts'
import {
  emptyState,
  applyMessage,
  applyRemoval,
  applyTyping,
  applyUpdate,
  applyRead,
  withFetched,
  withStored,
  type MessengerState,
} from './messenger-state.ts'
import { NEW_THREAD, withThread } from './messages.ts'

const OWN = 1
const THEIRS = 2

function message(message_id: number, change: Partial<Message> = {}): Message {
  return {
    message_id,
    dialog_id: 7,
    sender_id: THEIRS,
    type: 'text',
    message: `text ${message_id}`,
    read_status: 0,
    create_time: '2026-03-01T10:00:00Z',
    ...change,
  }
}

function dialog(dialog_id: number, change: Partial<Dialog> = {}): Dialog {
  return {
    id: dialog_id,
    dialog_id,
    activity_id: dialog_id * 10,
    type: 'common',
    interlocutor: { id: THEIRS, nick: 'Mira', is_favorite: false } as Dialog['interlocutor'],
    last_message: null,
    count_new_messages: 0,
    can_write: { allowed: true, cost: 'free' },
    ...change,
  }
}

function stateWith(dialogs: Dialog[], messages: Message[] = []): MessengerState {
  const state = withFetched(emptyState(OWN, []), dialogs)
  return {
    ...state,
    threads: withThread(state.threads, 7, { ...NEW_THREAD, status: 'ready', messages }),
  }
}

const idsIn = (state: MessengerState) =>
  state.threads.get(7)!.messages.map(({ message_id }) => message_id)
const newIn = (state: MessengerState) => state.dialogs.get(7)!.count_new_messages

test('a message that arrives twice is shown and counted once', () => {
  const payload = { message: message(5), count_new_messages: 1 }
  const once = applyMessage(stateWith([dialog(7)]), payload)
  const twice = applyMessage(once, payload)
  expect(idsIn(twice)).toEqual([5])
  expect(newIn(twice)).toBe(1)
})

test('messages that arrive in another order are shown by rising id', () => {
  const state = [9, 4, 6].reduce(
    (current, id) => applyMessage(current, { message: message(id), count_new_messages: 1 }),
    stateWith([dialog(7)]),
  )
  expect(idsIn(state)).toEqual([4, 6, 9])
  expect(state.dialogs.get(7)!.last_message!.message_id).toBe(9)
})

test('an own message replaces the unsent one, whether event or answer comes first', () => {
  const unsent = {
    random_id: 'r1',
    user_id: OWN,
    dialog_id: 7,
    text: 'Hello',
    written_at: '2026-03-01T10:00:00Z',
  }
  const stored = message(5, { sender_id: OWN, random_id: 'r1' })
  const state = { ...stateWith([dialog(7)]), unsent: [unsent] }
  const answered = withStored(state, stored)
  const both = applyMessage(answered, { message: stored, count_new_messages: 0 })
  expect(both.unsent).toEqual([])
  expect(idsIn(both)).toEqual([5])
  expect(newIn(both)).toBe(0)
})

test('a message of another user never removes an unsent one', () => {
  const unsent = [{ random_id: 'r1', user_id: OWN, dialog_id: 7, text: 'Hello', written_at: '' }]
  const state = { ...stateWith([dialog(7)]), unsent }
  const after = withStored(state, message(5, { random_id: 'r1' }))
  expect(after.unsent).toBe(unsent)
})

test('the dialog of a new message comes to the top by the number that the server gives it', () => {
  const first = stateWith([dialog(7), dialog(8)])
  const shown = (state: MessengerState) =>
    listDialogs(state.dialogs, 'all', { ...NO_WINDOW, has_more: false }).map(
      ({ dialog_id }) => dialog_id,
    )
  expect(shown(first)).toEqual([8, 7])
  const after = applyMessage(first, { message: message(500), count_new_messages: 1 })
  expect(shown(after)).toEqual([7, 8])
  // A page of a filter has the numbers of the server.
  expect(shown(withFetched(after, [dialog(8, { activity_id: 501 })]))).toEqual([8, 7])
})

test('an answer that was read before a message arrived does not take the message back', () => {
  const before = dialog(7, { last_message: message(4, { read_status: 1 }) })
  const arrived = applyMessage(stateWith([before]), { message: message(5), count_new_messages: 1 })
  const after = applyUpdate(arrived, { dialog: before })
  expect(after.dialogs.get(7)!.last_message!.message_id).toBe(5)
  expect(newIn(after)).toBe(1)
})

test('dialogs that are older than the fetched pages wait for theirs', () => {
  const dialogs = new Map([dialog(1), dialog(7), dialog(8)].map((one) => [one.dialog_id, one]))
  const window = withPage(NO_WINDOW, [dialog(8), dialog(7)], 2)
  expect(listDialogs(dialogs, 'all', window).map(({ dialog_id }) => dialog_id)).toEqual([8, 7])
  const whole = withPage(window, [dialog(1)], 2)
  expect(listDialogs(dialogs, 'all', whole)).toHaveLength(3)
})

test('messages read in another tab leave the count, each once', () => {
  const state = stateWith([dialog(7, { count_new_messages: 2 })], [message(4), message(5)])
  const once = applyRead(state, { dialog_id: 7, message_ids: [4] })
  const twice = applyRead(once, { dialog_id: 7, message_ids: [4] })
  expect(newIn(twice)).toBe(1)
  expect(twice.threads.get(7)!.messages.map(({ read_status }) => read_status)).toEqual([1, 0])
})

test('the time at which a message vanishes is that of its first reading', () => {
  const state = stateWith([dialog(7)], [message(4)])
  const first = applyRead(state, {
    dialog_id: 7,
    message_ids: [4],
    vanish_at: '2026-03-01T11:00:00Z',
  })
  const again = applyRead(first, {
    dialog_id: 7,
    message_ids: [4],
    vanish_at: '2026-03-01T12:00:00Z',
  })
  expect(again.threads.get(7)!.messages[0]!.vanish_at).toBe('2026-03-01T11:00:00Z')
})

test('an expired message leaves the thread and the list, one against the rules leaves a note', () => {
  const state = stateWith([dialog(7, { last_message: message(5) })], [message(4), message(5)])
  const expired = applyRemoval(state, { dialog_id: 7, message_ids: [5], reason: 'expired' })
  expect(idsIn(expired)).toEqual([4])
  expect(expired.dialogs.get(7)!.last_message!.message_id).toBe(4)
  const against = applyRemoval(state, { dialog_id: 7, message_ids: [5], reason: 'violation' })
  expect(against.threads.get(7)!.messages[1]).toMatchObject({ removed: true, message: '' })
  expect(against.dialogs.get(7)!.last_message).toMatchObject({ removed: true, message: '' })
})

test('a cleaned dialog is empty and stays in the list', () => {
  const state = stateWith(
    [dialog(7, { last_message: message(5), count_new_messages: 1 })],
    [message(5)],
  )
  const cleaned = applyRemoval(state, {
    dialog_id: 7,
    message_ids: [],
    up_to: 5,
    reason: 'cleaned',
  })
  expect(idsIn(cleaned)).toEqual([])
  expect(cleaned.dialogs.get(7)).toMatchObject({ last_message: null, count_new_messages: 0 })
})

test('a like that is taken back leaves the count of unread messages as it is', () => {
  const state = stateWith(
    [dialog(7, { last_message: message(6, { type: 'like' }), count_new_messages: 2 })],
    [message(4), message(5), message(6, { type: 'like' })],
  )
  const after = applyRemoval(state, { dialog_id: 7, message_ids: [6], reason: 'cleaned' })
  expect(newIn(after)).toBe(2)
  expect(idsIn(after)).toEqual([4, 5])
})

test('a dialog that was deleted in another tab leaves the list with its thread', () => {
  const payload = { dialog_id: 7, message_ids: [], up_to: 5, deleted: true }
  const deleted = applyRemoval(stateWith([dialog(7)], [message(5)]), {
    ...payload,
    reason: 'cleaned',
  })
  expect(deleted.dialogs.has(7)).toBe(false)
  expect(deleted.threads.has(7)).toBe(false)
})

test('a vanishing message that is kept after all has no end any more', () => {
  const state = stateWith([dialog(7)], [message(4)])
  const read = { dialog_id: 7, message_ids: [4] }
  const vanishing = applyRead(state, { ...read, vanish_at: '2026-03-01T11:00:00Z' })
  const kept = applyRead(vanishing, read)
  expect(kept.threads.get(7)!.messages[0]!.vanish_at).toBeUndefined()
})

test('a message ends the sign of typing, and the own typing in another tab shows none', () => {
  const state = applyTyping(stateWith([dialog(7)]), { dialog_id: 7, user_id: THEIRS }, 1000)
  expect(state.typing.get(7)).toBe(4000)
  expect(applyTyping(state, { dialog_id: 7, user_id: OWN }, 9000)).toBe(state)
  const after = applyMessage(state, { message: message(5), count_new_messages: 1 })
  expect(after.typing.has(7)).toBe(false)
})

test('a message that arrives while its thread is fetched is not lost', () => {
  const state = withFetched(emptyState(OWN, []), [dialog(7)])
  const loading = { ...state, threads: withThread(state.threads, 7, NEW_THREAD) }
  const after = applyMessage(loading, { message: message(5), count_new_messages: 1 })
  expect(idsIn(after)).toEqual([5])
})

test('no more than twenty threads stay in memory, never at the cost of the open one', () => {
  let threads: MessengerState['threads'] = new Map()
  for (let id = 1; id <= 25; id += 1) threads = withThread(threads, id, NEW_THREAD)
  expect(threads.size).toBe(20)
  expect(threads.has(25)).toBe(true)
  expect(threads.has(1)).toBe(false)
})
