import { type Role, wireRole } from '@duet/protocol/kernel/roles.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { partnerFor } from './demo-menu.tsx'
import {
  askOpener,
  isLoopback,
  openSecondWindow,
  otherOrigin,
} from '../../shared/navigation/second-window.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const person = (user_id: number, role: Role) => ({
  user_id,
  role: wireRole(role),
  nick: '',
  avatar: null,
  is_premium: false,
})
const cast = [person(1, 'guy'), person(2, 'girl'), person(3, 'girl')]

test('a second window opens on the other loopback name, with the same port', () => {
  expect(otherOrigin({ protocol: 'http:', hostname: 'localhost', port: '3000' })).toBe(
    'http://127.0.0.1:3000',
  )
  expect(otherOrigin({ protocol: 'http:', hostname: '127.0.0.1', port: '' })).toBe(
    'http://localhost',
  )
  expect(isLoopback({ hostname: 'duet.example' })).toBe(false)
})

test('offers a girl to a guy, a guy to a girl, and never the user themselves', () => {
  expect(partnerFor({ id: 1, role: wireRole('guy') }, cast)?.user_id).toBe(2)
  expect(partnerFor({ id: 2, role: 'girl' }, cast)?.user_id).toBe(1)
  expect(partnerFor({ id: 9, role: null }, cast)?.user_id).toBe(2)
  expect(partnerFor({ id: 1, role: 'girl' }, [person(1, 'guy')])).toBeUndefined()
})

const KEY = '6f1f7a3e-6a8d-4a0e-9d6f-1d1f3b8a7c11'
const HERE = { protocol: 'http:', hostname: 'localhost', port: '3000' }
const OTHER = 'http://127.0.0.1:3000'

/** A window of another origin, which records the messages that it receives. */
function otherWindow() {
  const posted: unknown[][] = []
  const target = { postMessage: (...message: unknown[]) => posted.push(message) }
  return { posted, window: target as unknown as Window }
}

const receive = (source: Window, origin: string, data: unknown) =>
  dispatchEvent(Object.assign(new Event('message'), { source, origin, data }))

test('the second window learns its user from the window that opened it, and from no other', async () => {
  const opener = otherWindow()
  vi.stubGlobal('location', HERE)
  vi.stubGlobal('opener', opener.window)
  const asked = askOpener(KEY)
  expect(opener.posted).toEqual([[{ duet_demo: KEY }, OTHER]])
  receive(opener.window, 'https://evil.example', { duet_demo: KEY, user_id: 6 })
  receive(otherWindow().window, OTHER, { duet_demo: KEY, user_id: 7 })
  receive(opener.window, OTHER, { duet_demo: 'another key', user_id: 8 })
  receive(opener.window, OTHER, { duet_demo: KEY, user_id: 9 })
  expect(await asked).toBe(9)
})

test('a window whose opener was loaded again soon offers the demo users', async () => {
  vi.useFakeTimers()
  vi.stubGlobal('location', HERE)
  vi.stubGlobal('opener', otherWindow().window)
  const answer = vi.fn()
  void askOpener(KEY).then(answer)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(answer).toHaveBeenCalledWith(undefined)
})

test('a window that no page of this installation opened is signed in as no user', async () => {
  vi.stubGlobal('location', HERE)
  vi.stubGlobal('opener', null)
  expect(await askOpener(KEY)).toBeUndefined()
})

test('the opener answers its own second window, once', () => {
  const opened = otherWindow()
  const open = vi.fn((_address: string) => opened.window)
  vi.stubGlobal('location', HERE)
  vi.stubGlobal('open', open)
  openSecondWindow({ user_id: 9 }, '/messenger/4')
  const address = new URL(open.mock.calls[0]![0])
  expect(`${address.origin}${address.pathname}`).toBe(`${OTHER}/messenger/4`)
  const key = address.searchParams.get('demo')
  receive(otherWindow().window, OTHER, { duet_demo: key })
  receive(opened.window, 'https://evil.example', { duet_demo: key })
  expect(opened.posted).toEqual([])
  receive(opened.window, OTHER, { duet_demo: key })
  receive(opened.window, OTHER, { duet_demo: key })
  expect(opened.posted).toEqual([[{ duet_demo: key, user_id: 9 }, OTHER]])
})
