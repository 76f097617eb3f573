import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import type { Message } from '@duet/protocol'
import { activate, loadTexts } from '../../../shared/i18n.ts'
import { ArrivedText } from './arrived-text.tsx'

let root: Root
beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  await activate('en')
  await loadTexts('messenger')
  const page = document.createElement('div')
  document.body.append(page)
  root = createRoot(page)
})
afterEach(() => {
  act(() => root.unmount())
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

const from = (sender_id: number, message_id: number, message: string) =>
  ({ message_id, sender_id, type: 'text', message }) as unknown as Message
const show = (...messages: Message[]) =>
  act(async () => root.render(<ArrivedText messages={messages} ownId={1} nick="Mira" />))
const said = () => document.querySelector('[role=status]')!.textContent

test('a screen reader hears what arrives, not what was there, was written here or is older', async () => {
  const first = from(2, 10, 'Hello')
  await show(first)
  expect(said()).toBe('')
  const second = from(2, 12, 'Are you there?')
  await show(first, from(1, 11, 'Hi'), second)
  expect(said()).toBe('Mira: Are you there?')
  await show(from(2, 3, 'Long ago'), first, second)
  expect(said()).toBe('Mira: Are you there?')
  await show(first, second, from(2, 13, 'Hm'), from(2, 14, 'Bye'))
  expect(said()).toBe('Mira: Hm. Bye')
  // The newest message vanished. The message before it was already announced.
  await show(first)
  expect(said()).toBe('Mira: Hm. Bye')
})
