import { expect, test } from 'vitest'
import type { ClientConnection } from '@duet/client'
import { followOnlineCount } from './online-count.ts'

function fakeConnection() {
  const sent: boolean[] = []
  const listeners = new Set<() => void>()
  const state = { phase: 'connecting' }
  const connection = {
    getSnapshot: () => state,
    act: async (_: string, { on }: { on: boolean }) => void sent.push(on),
    on: (_: string, listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  } as unknown as ClientConnection
  const authenticate = () => {
    state.phase = 'ready'
    for (const listener of listeners) listener()
  }
  return { connection, sent, state, authenticate }
}

test('the count of women online is followed again after each reconnect, until the screen is gone', () => {
  const { connection, sent, state, authenticate } = fakeConnection()
  const stop = followOnlineCount(connection)
  expect(sent).toEqual([])
  authenticate()
  state.phase = 'offline'
  authenticate()
  expect(sent).toEqual([true, true])
  stop()
  authenticate()
  expect(sent).toEqual([true, true, false])
})

test('a screen that is shown on an open connection follows the count at once', () => {
  const { connection, sent, authenticate } = fakeConnection()
  authenticate()
  followOnlineCount(connection)
  expect(sent).toEqual([true])
})
