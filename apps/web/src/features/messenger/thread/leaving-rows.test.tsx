import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import type { Message } from '@duet/protocol'
import { useLeavingRows } from './leaving-rows.ts'
import type { ThreadItem } from './thread-items.ts'

let root: Root
let isStill: boolean
let left: (key: string) => void

beforeEach(() => {
  isStill = false
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.stubGlobal('matchMedia', () => ({
    matches: isStill,
    addEventListener() {},
    removeEventListener() {},
  }))
  root = createRoot(document.createElement('div'))
})
afterEach(() => {
  act(() => root.unmount())
  vi.unstubAllGlobals()
})

function row(key: string, vanish_at?: string): ThreadItem {
  const message = { ...(vanish_at !== undefined && { vanish_at }) } as Message
  return { kind: 'message', key, message, is_own: false, is_tail: true }
}

let shown: readonly string[]

function Rows({ items }: { items: readonly ThreadItem[] }) {
  const { rows, onLeft } = useLeavingRows(items)
  left = onLeft
  shown = rows.map((one) => (one.kind === 'message' && one.is_leaving ? `(${one.key})` : one.key))
  return null
}

const show = (...items: readonly ThreadItem[]) => act(() => root.render(<Rows items={items} />))

test('a vanished message stays in its place until it has faded out', () => {
  show(row('a'), row('b', 'soon'), row('c'))
  show(row('a'), row('c'))
  expect(shown).toEqual(['a', '(b)', 'c'])
  // A message that arrives meanwhile does not move it.
  show(row('a'), row('c'), row('d'))
  expect(shown).toEqual(['a', '(b)', 'c', 'd'])
  act(() => left('b'))
  expect(shown).toEqual(['a', 'c', 'd'])
})

test('the first and several vanished messages keep their order', () => {
  show(row('a', 'soon'), row('b', 'soon'), row('c'), row('d', 'soon'))
  show(row('c'))
  expect(shown).toEqual(['(a)', '(b)', 'c', '(d)'])
})

test('messages that the user cleared go at once, and with reduced motion the vanished ones too', () => {
  show(row('a'), row('b'))
  show(row('b'))
  expect(shown).toEqual(['b'])
  act(() => root.unmount())
  isStill = true
  root = createRoot(document.createElement('div'))
  show(row('a', 'soon'), row('b'))
  show(row('b'))
  expect(shown).toEqual(['b'])
})
