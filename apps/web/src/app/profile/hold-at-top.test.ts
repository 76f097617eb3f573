import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { holdAtTop } from './hold-at-top.ts'

/** The page: the position of the section, and the observer that reports growth. */
let top: number
let scrolls: number
let grow: () => void

beforeEach(() => {
  vi.useFakeTimers()
  top = 800
  scrolls = 0
  let isObserved = true
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(onResize: () => void) {
        grow = () => {
          top += 200
          if (isObserved) onResize()
        }
      }
      observe() {}
      disconnect() {
        isObserved = false
      }
    },
  )
  const section = document.createElement('section')
  const heading = document.createElement('h2')
  heading.tabIndex = -1
  heading.textContent = 'Security'
  section.append(heading)
  document.body.append(document.createElement('div'))
  document.querySelector('div')!.append(section)
  section.scrollIntoView = () => {
    scrolls += 1
    top = 0
    dispatchEvent(new Event('scroll'))
  }
  section.getBoundingClientRect = () => ({ top }) as DOMRect
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  document.body.replaceChildren()
})

const hold = () => holdAtTop(document.querySelector('section')!, document.querySelector('div')!)

test('a section stays at the top while the ones above it load', () => {
  hold()
  expect(document.activeElement?.textContent).toBe('Security')
  for (const wait of [0, 3000, 3000]) {
    vi.advanceTimersByTime(wait)
    grow()
    expect(top).toBe(0)
  }
})

test('what grows long after the last section loaded moves nothing', () => {
  hold()
  grow()
  vi.advanceTimersByTime(5000)
  grow()
  expect(scrolls).toBe(2)
})

test('a screen reader that has moved the page is not pulled back', () => {
  hold()
  top = -300
  dispatchEvent(new Event('scroll'))
  grow()
  expect(scrolls).toBe(1)
})

test('a press ends it', () => {
  hold()
  dispatchEvent(new Event('pointerdown'))
  grow()
  expect(scrolls).toBe(1)
})
