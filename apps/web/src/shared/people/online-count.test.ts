import { expect, test } from 'vitest'
import type { ClientConnection } from '@duet/client'
import { followOnlineCount } from './online-count.ts'

function fakeConnection() {
  const sent: boolean[] = []
  const listeners = new Set<(snapshot: object) => void>()
  const state = { phase: 'connecting', auth: { user: { id: 1 } } }
  const connection = {
    getSnapshot: () => ({ ...state }),
    act: async (_: string, { on }: { on: boolean }) => void sent.push(on),
    on(name: string, listener: () => void) {
      if (name === 'snapshot') listeners.add(listener)
      return () => listeners.delete(listener)
    },
  } as unknown as ClientConnection
  const become = (phase: string) => {
    state.phase = phase
    for (const listener of listeners) listener({ ...state })
  }
  return { connection, sent, become }
}

test('the count of women online is followed again after each reconnect, until the screen is gone', () => {
  const { connection, sent, become } = fakeConnection()
  const stop = followOnlineCount(connection)
  expect(sent).toEqual([])
  become('ready')
  become('offline')
  become('ready')
  expect(sent).toEqual([true, true])
  stop()
  become('offline')
  become('ready')
  expect(sent).toEqual([true, true, false])
})

test('a screen that is shown on an open connection follows the count at once', () => {
  const { connection, sent, become } = fakeConnection()
  become('ready')
  followOnlineCount(connection)
  expect(sent).toEqual([true])
})
