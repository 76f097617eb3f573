import { act, useState } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { activate, loadTexts } from '../../shared/i18n.ts'
import type { HourCells } from './hour-cells.ts'
import { HoursGrid } from './hours-grid.tsx'

let root: Root

beforeAll(async () => {
  await activate('en')
  await loadTexts('dates')
})
beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  root = createRoot(document.body.appendChild(document.createElement('div')))
  await act(async () => root.render(<Grid />))
})
afterEach(async () => {
  await act(async () => root.unmount())
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

function Grid() {
  const [cells, setCells] = useState<HourCells>(new Map())
  return <HoursGrid cells={cells} onChange={setCells} />
}

const cell = () => document.querySelector<HTMLElement>('[data-cell]')!
const isOn = () => cell().getAttribute('aria-pressed') === 'true'

/** In older browsers a click is a `MouseEvent`, which names no pointer. */
async function press(pointerType: string): Promise<void> {
  const options = { bubbles: true, button: 0 }
  await act(async () => {
    cell().dispatchEvent(new PointerEvent('pointerdown', { ...options, pointerType }))
    cell().dispatchEvent(new PointerEvent('pointerup', { ...options, pointerType }))
    cell().dispatchEvent(new MouseEvent('click', { ...options, detail: 1 }))
  })
}

test('a press of a finger and of a mouse switches an hour once, and the keyboard does so after a mouse', async () => {
  await press('touch')
  expect(isOn()).toBe(true)
  await press('mouse')
  expect(isOn()).toBe(false)
  await act(async () => cell().dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 0 })))
  expect(isOn()).toBe(true)
  await press('touch')
  expect(isOn()).toBe(false)
})
