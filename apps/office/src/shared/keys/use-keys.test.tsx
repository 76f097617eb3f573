import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useKeys } from './use-keys.ts'

const pressed: string[] = []
let root: Root

function Page() {
  useKeys({
    j: () => pressed.push('j'),
    Enter: () => pressed.push('Enter'),
    'Control+Enter': () => pressed.push('Control+Enter'),
  })
  return (
    <>
      <input />
      <button type="button">a button</button>
    </>
  )
}

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  pressed.splice(0)
  const place = document.createElement('div')
  document.body.replaceChildren(place)
  root = createRoot(place)
  await act(async () => root.render(<Page />))
})
afterEach(async () => {
  await act(async () => root.unmount())
  vi.unstubAllGlobals()
})

function press(target: Element, key: string, ctrlKey = false) {
  target.dispatchEvent(new KeyboardEvent('keydown', { key, ctrlKey, bubbles: true }))
}

test('keys of the page work, and belong to a field while a person types', () => {
  press(document.body, 'j')
  press(document.querySelector('input')!, 'j')
  press(document.querySelector('input')!, 'Enter', true)
  expect(pressed).toEqual(['j', 'Control+Enter'])
})

test('Enter on a button presses the button only', () => {
  press(document.querySelector('button')!, 'Enter')
  press(document.body, 'Enter')
  expect(pressed).toEqual(['Enter'])
})

test('no key acts behind a dialog', () => {
  const dialog = document.createElement('div')
  dialog.setAttribute('role', 'dialog')
  document.body.append(dialog)
  press(document.body, 'j')
  expect(pressed).toEqual([])
})
