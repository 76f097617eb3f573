import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { Zoomable } from '@duet/ui'

const WIDTH = 400
const HEIGHT = 300
let root: Root

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  root = createRoot(document.body.appendChild(document.createElement('div')))
  await act(async () =>
    root.render(
      <Zoomable>
        <img alt="" />
      </Zoomable>,
    ),
  )
  Object.defineProperties(frame(), {
    clientWidth: { value: WIDTH },
    clientHeight: { value: HEIGHT },
    setPointerCapture: { value() {} },
    getBoundingClientRect: { value: () => ({ left: 0, top: 0, width: WIDTH, height: HEIGHT }) },
  })
})
afterEach(() => {
  act(() => root.unmount())
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

const frame = () => document.querySelector<HTMLElement>('[data-zoom]')!
const shown = () => (frame().firstElementChild as HTMLElement).style.transform

async function sends(type: string, fields: object): Promise<Event> {
  const event = Object.assign(new Event(type, { bubbles: true, cancelable: true }), fields)
  await act(async () => void frame().dispatchEvent(event))
  return event
}

const pointer = (type: string, pointerId: number, clientX: number, clientY: number) =>
  sends(`pointer${type}`, { pointerId, clientX, clientY })

test('a double press enlarges what is under it, and another one shows the whole picture', async () => {
  await sends('dblclick', { clientX: 400, clientY: 150 })
  // The right edge stays where it was pressed.
  expect(shown()).toBe('translate(-300px, 0px) scale(2.5)')
  await sends('dblclick', { clientX: 10, clientY: 10 })
  expect(shown()).toBe('translate(0px, 0px) scale(1)')
})

test('the wheel enlarges in place of the page, between the whole picture and five times', async () => {
  const event = await sends('wheel', { deltaY: -10_000, clientX: 200, clientY: 150 })
  expect(event.defaultPrevented).toBe(true)
  expect(shown()).toBe('translate(0px, 0px) scale(5)')
  await sends('wheel', { deltaY: 10_000, clientX: 0, clientY: 0 })
  expect(shown()).toBe('translate(0px, 0px) scale(1)')
})

test('the keys + and - enlarge, arrows move the enlarged picture no further than its edge, 0 shows it whole', async () => {
  const whole = await sends('keydown', { key: 'ArrowRight' })
  expect([whole.defaultPrevented, shown()]).toEqual([false, 'translate(0px, 0px) scale(1)'])
  await sends('keydown', { key: '+' })
  expect(shown()).toBe('translate(0px, 0px) scale(1.5)')
  await sends('keydown', { key: 'ArrowRight' })
  await sends('keydown', { key: 'ArrowRight' })
  expect(shown()).toBe('translate(-100px, 0px) scale(1.5)')
  await sends('keydown', { key: '+' })
  expect(frame().dataset.zoom).toBe('2.25')
  await sends('keydown', { key: '-' })
  expect(frame().dataset.zoom).toBe('1.50')
  await sends('keydown', { key: '0' })
  expect(shown()).toBe('translate(0px, 0px) scale(1)')
})

test('two fingers enlarge, one moves the enlarged picture', async () => {
  await pointer('down', 1, 150, 150)
  await pointer('move', 1, 100, 150)
  expect(shown()).toBe('translate(0px, 0px) scale(1)')
  await pointer('down', 2, 300, 150)
  await pointer('move', 1, 0, 150)
  expect(frame().dataset.zoom).toBe('1.50')
  await pointer('up', 2, 300, 150)
  const before = shown()
  await pointer('move', 1, 20, 150)
  expect(shown()).not.toBe(before)
  expect(frame().dataset.zoom).toBe('1.50')
})
