import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { useKeys, type KeyMap } from './use-keys.ts'

let root: Root
let pressed: string[]

function Screen({ keys }: { keys: KeyMap }) {
  useKeys(keys)
  return (
    <>
      <input />
      <button type="button">Press</button>
    </>
  )
}

beforeEach(async () => {
  ;(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true
  document.body.replaceChildren(document.createElement('div'))
  pressed = []
  root = createRoot(document.body.firstElementChild!)
  const press = (name: string) => () => void pressed.push(name)
  await act(async () =>
    root.render(<Screen keys={{ M: press('M'), Enter: press('Enter'), '?': press('?') }} />),
  )
})
afterEach(() => act(async () => root.unmount()))

function key(init: KeyboardEventInit, target: Element = document.body) {
  target.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...init }))
}

test('a letter works by its place, under every keyboard language', () => {
  key({ key: 'ь', code: 'KeyM' })
  expect(pressed).toEqual(['M'])
})

test('a sign works by what it is', () => {
  key({ key: '?', code: 'Slash' })
  expect(pressed).toEqual(['?'])
})

test('who writes only writes', () => {
  key({ key: 'm', code: 'KeyM' }, document.querySelector('input')!)
  expect(pressed).toEqual([])
})

test('Enter presses the button that has the focus, nothing else', () => {
  key({ key: 'Enter', code: 'Enter' }, document.querySelector('button')!)
  expect(pressed).toEqual([])
  key({ key: 'Enter', code: 'Enter' })
  expect(pressed).toEqual(['Enter'])
})

test.each([{ ctrlKey: true }, { metaKey: true }, { altKey: true }, { repeat: true }])(
  '%o is not ours',
  (held) => {
    key({ key: 'm', code: 'KeyM', ...held })
    expect(pressed).toEqual([])
  },
)

test('an open dialog has its own keys', () => {
  const dialog = document.createElement('div')
  dialog.setAttribute('role', 'dialog')
  document.body.append(dialog)
  key({ key: 'm', code: 'KeyM' })
  expect(pressed).toEqual([])
})
