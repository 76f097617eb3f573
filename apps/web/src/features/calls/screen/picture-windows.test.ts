import { afterEach, expect, test } from 'vitest'
import { canFloat, toggleFloating } from './picture-windows.ts'

afterEach(() => {
  document.body.replaceChildren()
  Reflect.deleteProperty(document, 'pictureInPictureEnabled')
})

function addElement(tag: string, mark: string): HTMLElement {
  const element = document.createElement(tag)
  element.setAttribute(mark, '')
  document.body.append(element)
  return element
}

test('a picture that safe video covers does not float', () => {
  Object.defineProperty(document, 'pictureInPictureEnabled', { value: true, configurable: true })
  expect(canFloat()).toBe(true)
  addElement('div', 'data-safe-cover')
  expect(canFloat()).toBe(false)
})

test('a browser that refuses to float the picture changes nothing', async () => {
  const video = addElement('video', 'data-remote-picture')
  Object.defineProperty(video, 'requestPictureInPicture', {
    value: () => Promise.reject(new DOMException('no picture', 'InvalidStateError')),
  })
  expect(await toggleFloating()).toBeUndefined()
})
